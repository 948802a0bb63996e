// Twenty handlers as integrations contain them, each once with what its author forgot and once with the error handling
// that a review would ask for. Written from the outside: from what must happen when a service fails.

import type { FaultFinding } from '../../src/recordings/faults/judge-fault.js';
import type { RecordedCall } from '../../src/recordings/index.js';
import { moreUsualHandlers } from './more-usual-handlers.js';

export interface UsualHandler {
  what: string;
  call: Partial<RecordedCall>;
  /** What goes wrong with the first version. */
  breaks: FaultFinding['rule'][];
  forgetful: string;
  careful: string;
}

const api = 'http://127.0.0.1:4100/api';
const configured = (configuration: Record<string, unknown>): Partial<RecordedCall> => ({
  stored: {
    installation: { id: 'ins_1', organization: 'acme', status: 'active', configuration, externalIds: [] },
  },
});

const first: UsualHandler[] = [
  {
    what: 'posts to a chat when a page changes',
    call: {
      ...configured({ channel: 'docs', bot_token: 'example-bot-token-1' }),
      outbound: [
        {
          send: 'POST https://chat.example/api/postMessage',
          body: { channel: 'docs', text: 'A page changed' },
          answer: { status: 200, body: { ok: true, ts: '1.2' } },
          ms: 80,
        },
      ],
    },
    breaks: ['lost-change', 'no-time-limit'],
    forgetful: `
      const { channel, bot_token } = environment.installation.configuration;
      await fetch('https://chat.example/api/postMessage', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + bot_token, 'content-type': 'application/json' },
        body: JSON.stringify({ channel, text: 'A page changed' }),
      });
      return new Response('OK');`,
    careful: `
      const { channel, bot_token } = environment.installation.configuration;
      const response = await fetch('https://chat.example/api/postMessage', {
        method: 'POST',
        signal: AbortSignal.timeout(10_000),
        headers: { authorization: 'Bearer ' + bot_token, 'content-type': 'application/json' },
        body: JSON.stringify({ channel, text: 'A page changed' }),
      });
      if (!response.ok) throw new Error('postMessage failed with ' + response.status);
      return new Response('OK');`,
  },
  {
    what: 'shows an issue with its labels',
    call: {
      outbound: [
        {
          send: 'GET https://api.tracker.example/issues/7',
          answer: {
            status: 200,
            body: { title: 'Crash', labels: [{ name: 'bug' }], user: { login: 'ada' } },
          },
          ms: 120,
        },
      ],
    },
    breaks: ['uncaught-error', 'no-time-limit'],
    forgetful: `
      const issue = await fetch('https://api.tracker.example/issues/7').then((r) => r.json());
      return Response.json({ title: issue.title, by: issue.user.login, labels: issue.labels.map((label) => label.name) });`,
    careful: `
      const response = await fetch('https://api.tracker.example/issues/7', { signal: AbortSignal.timeout(5000) });
      if (response.status !== 200) return Response.json({ title: 'The issue could not be loaded' });
      let issue;
      try { issue = await response.json(); } catch { return Response.json({ title: 'The issue could not be read' }); }
      return Response.json({ title: issue.title, by: issue.user?.login ?? 'ghost', labels: (issue.labels ?? []).map((label) => label.name) });`,
  },
  {
    what: 'exchanges a code and stores the token',
    call: {
      outbound: [
        {
          send: 'POST https://id.example/oauth/token',
          body: 'grant_type=authorization_code&code=example-code',
          answer: {
            status: 200,
            body: { access_token: 'example-access-1', refresh_token: 'example-refresh-1', scope: 'read' },
          },
          ms: 90,
        },
        {
          send: `PATCH ${api}/installations/ins_1`,
          body: {
            configuration: {
              access_token: 'example-access-1',
              refresh_token: 'example-refresh-1',
              scope: 'read',
            },
          },
          answer: { status: 200, body: {} },
          ms: 5,
        },
      ],
    },
    breaks: ['uncaught-error', 'lost-data', 'no-time-limit'],
    forgetful: `
      const response = await fetch('https://id.example/oauth/token', { method: 'POST', body: 'grant_type=authorization_code&code=example-code' });
      const { access_token, refresh_token, scope } = await response.json();
      await fetch('${api}/installations/ins_1', { method: 'PATCH', body: JSON.stringify({ configuration: { access_token, refresh_token, scope } }) });
      return new Response('<script>window.close()</script>', { headers: { 'content-type': 'text/html' } });`,
    careful: `
      const response = await fetch('https://id.example/oauth/token', { method: 'POST', signal: AbortSignal.timeout(8000), body: 'grant_type=authorization_code&code=example-code' });
      if (!response.ok) return new Response('The service refused the sign-in.', { status: 502 });
      const { access_token, refresh_token, scope } = await response.json();
      if (!access_token) return new Response('The service sent no token.', { status: 502 });
      await fetch('${api}/installations/ins_1', { method: 'PATCH', body: JSON.stringify({ configuration: { access_token, refresh_token, scope } }) });
      return new Response('<script>window.close()</script>', { headers: { 'content-type': 'text/html' } });`,
  },
  {
    what: 'comments when a webhook arrives',
    call: {
      event: {
        type: 'fetch',
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:4100/hook',
          headers: { 'x-github-delivery': '72d3162e-cc78' },
        },
      },
      outbound: [
        {
          send: 'POST https://api.tracker.example/issues/7/comments',
          body: { text: 'Linked from the docs' },
          answer: { status: 201, body: { id: 1 } },
          ms: 60,
        },
      ],
    },
    breaks: ['repeated-change'],
    forgetful: `
      const response = await fetch('https://api.tracker.example/issues/7/comments', { method: 'POST', signal: AbortSignal.timeout(5000), body: JSON.stringify({ text: 'Linked from the docs' }) });
      return new Response(null, { status: response.ok ? 202 : 502 });`,
    careful: `
      const response = await fetch('https://api.tracker.example/issues/7/comments', {
        method: 'POST', signal: AbortSignal.timeout(5000),
        headers: { 'idempotency-key': event.request.headers['x-github-delivery'] },
        body: JSON.stringify({ text: 'Linked from the docs' }),
      });
      return new Response(null, { status: response.ok ? 202 : 502 });`,
  },
  {
    what: 'reads all pages of a list',
    call: {
      outbound: [1, 2].map((page) => ({
        send: `GET https://api.tracker.example/issues?page=${page}`,
        answer: { status: 200, body: { items: [{ id: page }], next: page < 2 ? page + 1 : null } },
        ms: 40,
      })),
    },
    breaks: ['many-requests'],
    forgetful: `
      const all = [];
      let page = 1;
      while (page) {
        try {
          const response = await fetch('https://api.tracker.example/issues?page=' + page, { signal: AbortSignal.timeout(3000) });
          if (!response.ok) continue;
          const { items, next } = await response.json();
          all.push(...items);
          page = next;
        } catch (error) { console.warn('retrying page', page); }
      }
      return Response.json(all);`,
    careful: `
      const all = [];
      let page = 1;
      for (let tries = 0; page && tries < 8; tries += 1) {
        try {
          const response = await fetch('https://api.tracker.example/issues?page=' + page, { signal: AbortSignal.timeout(3000) });
          if (!response.ok) continue;
          const { items, next } = await response.json();
          all.push(...items);
          page = next;
        } catch (error) { console.warn('retrying page', page); }
      }
      return page ? Response.json({ error: 'incomplete' }, { status: 504 }) : Response.json(all);`,
  },
  {
    what: 'counts a view',
    call: {
      outbound: [
        {
          send: 'POST https://stats.example/track',
          body: { event: 'view' },
          answer: { status: 204 },
          ms: 30,
        },
      ],
    },
    breaks: ['unawaited-request'],
    forgetful: `
      fetch('https://stats.example/track', { method: 'POST', signal: AbortSignal.timeout(2000), body: JSON.stringify({ event: 'view' }) }).catch((error) => console.warn(error.message));
      return new Response('OK');`,
    careful: `
      context.waitUntil(
        fetch('https://stats.example/track', { method: 'POST', signal: AbortSignal.timeout(2000), body: JSON.stringify({ event: 'view' }) })
          .then((response) => { if (!response.ok) console.warn('The view was not counted:', response.status); })
          .catch((error) => console.warn('The view was not counted:', error.message)),
      );
      return new Response('OK');`,
  },
  {
    what: 'tells several channels',
    call: {
      outbound: ['a', 'b', 'c'].map((name) => ({
        send: `POST https://hooks.example/${name}`,
        body: { text: 'released' },
        answer: { status: 200, body: 'ok' },
        ms: 25,
      })),
    },
    breaks: ['lost-change'],
    forgetful: `
      await Promise.allSettled(['a', 'b', 'c'].map((name) =>
        fetch('https://hooks.example/' + name, { method: 'POST', signal: AbortSignal.timeout(4000), body: JSON.stringify({ text: 'released' }) })));
      return new Response('OK');`,
    careful: `
      const results = await Promise.allSettled(['a', 'b', 'c'].map(async (name) => {
        const response = await fetch('https://hooks.example/' + name, { method: 'POST', signal: AbortSignal.timeout(4000), body: JSON.stringify({ text: 'released' }) });
        if (!response.ok) throw new Error(name + ': ' + response.status);
      }));
      for (const result of results) if (result.status === 'rejected') console.error('Not told:', result.reason.message);
      return new Response('OK');`,
  },
  {
    what: 'updates a contact',
    call: {
      outbound: [
        {
          send: 'GET https://crm.example/contacts?email=ada',
          answer: { status: 200, body: { results: [{ id: 'c1' }] } },
          ms: 50,
        },
        {
          send: 'PUT https://crm.example/contacts/c1',
          body: { lastSeen: 'today' },
          answer: { status: 200, body: { id: 'c1' } },
          ms: 50,
        },
      ],
    },
    breaks: ['uncaught-error', 'lost-change'],
    forgetful: `
      const signal = AbortSignal.timeout(10_000);
      const { results } = await (await fetch('https://crm.example/contacts?email=ada', { signal })).json();
      const [contact] = results;
      await fetch('https://crm.example/contacts/' + contact.id, { method: 'PUT', signal, body: JSON.stringify({ lastSeen: 'today' }) });
      return Response.json({ updated: contact.id });`,
    careful: `
      const signal = AbortSignal.timeout(10_000);
      const found = await fetch('https://crm.example/contacts?email=ada', { signal });
      if (!found.ok) return Response.json({ error: 'The CRM did not answer.' }, { status: 502 });
      const { results = [] } = await found.json();
      const [contact] = results;
      if (!contact) return Response.json({ updated: null });
      const updated = await fetch('https://crm.example/contacts/' + contact.id, { method: 'PUT', signal, body: JSON.stringify({ lastSeen: 'today' }) });
      if (!updated.ok) return Response.json({ error: 'The contact was not updated.' }, { status: 502 });
      return Response.json({ updated: contact.id });`,
  },
  {
    what: 'shows the weather with an API key',
    call: {
      ...configured({ api_key: 'example-weather-key-1' }),
      outbound: [
        {
          send: 'GET https://weather.example/now?city=Oslo&appid=example-weather-key-1',
          answer: { status: 200, body: { degrees: 4 } },
          ms: 70,
        },
      ],
    },
    breaks: ['leaked-secret'],
    forgetful: `
      const url = new URL('https://weather.example/now');
      url.searchParams.set('city', 'Oslo');
      url.searchParams.set('appid', environment.installation.configuration.api_key);
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
        if (!response.ok) throw new Error('GET ' + url + ' responded with ' + response.status);
        return Response.json(await response.json());
      } catch (error) {
        console.error(error.message);
        return Response.json({ message: error.message });
      }`,
    careful: `
      const url = new URL('https://weather.example/now');
      url.searchParams.set('city', 'Oslo');
      url.searchParams.set('appid', environment.installation.configuration.api_key);
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
        if (!response.ok) throw new Error(url.host + ' responded with ' + response.status);
        return Response.json(await response.json());
      } catch (error) {
        console.error(error.message);
        return Response.json({ message: 'The weather is not available.' });
      }`,
  },
  {
    what: 'waits when it is rate-limited',
    call: {
      outbound: [
        {
          send: 'GET https://api.tracker.example/me',
          answer: { status: 200, body: { login: 'ada' } },
          ms: 30,
        },
      ],
    },
    breaks: ['no-time-limit'],
    forgetful: `
      const get = async () => fetch('https://api.tracker.example/me', { signal: AbortSignal.timeout(5000) });
      let response = await get();
      if (response.status === 429) {
        await new Promise((resolve) => setTimeout(resolve, Number(response.headers.get('retry-after')) * 1000));
        response = await get();
      }
      if (!response.ok) return new Response('unavailable', { status: 502 });
      return Response.json(await response.json());`,
    careful: `
      const get = async () => fetch('https://api.tracker.example/me', { signal: AbortSignal.timeout(5000) });
      let response = await get();
      if (response.status === 429) {
        const seconds = Math.min(Number(response.headers.get('retry-after')) || 1, 5);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        response = await get();
      }
      if (!response.ok) return new Response('unavailable', { status: 502 });
      return Response.json(await response.json());`,
  },
];

export const usualHandlers: UsualHandler[] = [...first, ...moreUsualHandlers];
