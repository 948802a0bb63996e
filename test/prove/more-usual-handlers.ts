import type { UsualHandler } from './usual-handlers.js';

const api = 'http://127.0.0.1:4100/api';

export const moreUsualHandlers: UsualHandler[] = [
  {
    what: 'sends a mail after it has responded',
    call: {
      outbound: [
        {
          send: 'POST https://mail.example/v3/send',
          body: { to: 'team', subject: 'Feedback' },
          answer: { status: 202 },
          ms: 140,
        },
      ],
    },
    breaks: ['lost-change', 'no-time-limit'],
    forgetful: `
      const sendMail = (mail) => fetch('https://mail.example/v3/send', { method: 'POST', body: JSON.stringify(mail) });
      context.waitUntil(sendMail({ to: 'team', subject: 'Feedback' }).catch(() => null));
      return new Response('Thank you');`,
    careful: `
      const sendMail = async (mail) => {
        const response = await fetch('https://mail.example/v3/send', { method: 'POST', signal: AbortSignal.timeout(15_000), body: JSON.stringify(mail) });
        if (!response.ok) throw new Error('The mail was not accepted: ' + response.status);
      };
      context.waitUntil(sendMail({ to: 'team', subject: 'Feedback' }));
      return new Response('Thank you');`,
  },
  {
    what: 'asks for feature flags',
    call: {
      outbound: [
        {
          send: 'GET https://flags.example/flags',
          answer: { status: 200, body: { enabled: ['beta'] } },
          ms: 15,
        },
      ],
    },
    breaks: ['uncaught-error'],
    forgetful: `
      const response = await fetch('https://flags.example/flags', { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
      const flags = response ? await response.json().catch(() => ({ enabled: [] })) : { enabled: [] };
      return Response.json({ beta: flags.enabled.includes('beta') });`,
    careful: `
      const response = await fetch('https://flags.example/flags', { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
      const flags = response?.ok ? await response.json().catch(() => ({})) : {};
      return Response.json({ beta: flags.enabled?.includes('beta') ?? false });`,
  },
  {
    what: 'uploads a file and remembers where it is',
    call: {
      outbound: [
        {
          send: 'POST https://files.example/upload',
          body: 'content of the file',
          answer: { status: 200, body: { url: 'https://files.example/f1', size: 19 } },
          ms: 200,
        },
        {
          send: `PATCH ${api}/installations/ins_1`,
          body: { externalIds: ['f1'], configuration: { url: 'https://files.example/f1', size: 19 } },
          answer: { status: 200, body: {} },
          ms: 5,
        },
      ],
    },
    breaks: ['lost-data'],
    forgetful: `
      const uploaded = await fetch('https://files.example/upload', { method: 'POST', signal: AbortSignal.timeout(20_000), body: 'content of the file' });
      const file = uploaded.ok ? await uploaded.json().catch(() => ({})) : {};
      await fetch('${api}/installations/ins_1', { method: 'PATCH', body: JSON.stringify({ externalIds: ['f1'], configuration: { url: file.url, size: file.size } }) });
      return Response.json({ done: true });`,
    careful: `
      const uploaded = await fetch('https://files.example/upload', { method: 'POST', signal: AbortSignal.timeout(20_000), body: 'content of the file' });
      const file = uploaded.ok ? await uploaded.json().catch(() => undefined) : undefined;
      if (!file) return Response.json({ done: false, reason: 'The upload failed.' });
      await fetch('${api}/installations/ins_1', { method: 'PATCH', body: JSON.stringify({ externalIds: ['f1'], configuration: { url: file.url, size: file.size } }) });
      return Response.json({ done: true });`,
  },
  {
    what: 'asks a GraphQL API',
    call: {
      outbound: [
        {
          send: 'POST https://api.board.example/graphql',
          body: { query: 'query { issue { title state { name } } }' },
          answer: { status: 200, body: { data: { issue: { title: 'Crash', state: { name: 'Todo' } } } } },
          ms: 90,
        },
      ],
    },
    breaks: ['uncaught-error'],
    forgetful: `
      const response = await fetch('https://api.board.example/graphql', { method: 'POST', signal: AbortSignal.timeout(5000), body: JSON.stringify({ query: 'query { issue { title state { name } } }' }) });
      const { data } = await response.json();
      return Response.json({ title: data.issue.title, state: data.issue.state.name });`,
    careful: `
      const response = await fetch('https://api.board.example/graphql', { method: 'POST', signal: AbortSignal.timeout(5000), body: JSON.stringify({ query: 'query { issue { title state { name } } }' }) });
      const { data, errors } = response.ok ? await response.json() : { errors: [{ message: response.statusText }] };
      if (errors || !data?.issue) return Response.json({ title: 'Not available' });
      return Response.json({ title: data.issue.title, state: data.issue.state?.name ?? 'unknown' });`,
  },
  {
    what: 'passes a webhook on',
    call: {
      event: {
        type: 'fetch',
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:4100/hook',
          headers: { 'webhook-id': 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W' },
        },
      },
      outbound: [
        {
          send: 'POST https://chat.example/hooks/1',
          body: { content: 'Deployed', nonce: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W' },
          answer: { status: 204 },
          ms: 45,
        },
      ],
    },
    breaks: ['lost-change'],
    forgetful: `
      try {
        const nonce = event.request.headers['webhook-id'];
        await fetch('https://chat.example/hooks/1', { method: 'POST', signal: AbortSignal.timeout(5000), body: JSON.stringify({ content: 'Deployed', nonce }) });
      } catch {
        // The sender must not see our problems.
      }
      return new Response(null, { status: 204 });`,
    careful: `
      try {
        const nonce = event.request.headers['webhook-id'];
        const response = await fetch('https://chat.example/hooks/1', { method: 'POST', signal: AbortSignal.timeout(5000), body: JSON.stringify({ content: 'Deployed', nonce }) });
        if (!response.ok) throw new Error('status ' + response.status);
      } catch (error) {
        // The sender must not see our problems.
        console.error('The message was not passed on:', error);
      }
      return new Response(null, { status: 204 });`,
  },
  {
    what: 'tries again later with a task',
    call: {
      event: { type: 'task', eventId: 'evt_task_1', task: { type: 'sync' } },
      outbound: [
        {
          send: 'PUT https://search.example/index/docs',
          body: { pages: 3 },
          answer: { status: 200, body: { took: 3 } },
          ms: 75,
        },
        {
          send: `POST ${api}/tasks`,
          body: { task: { type: 'sync' } },
          answer: { status: 201, body: {} },
          ms: 5,
        },
      ],
    },
    breaks: ['lost-change'],
    forgetful: `
      await fetch('https://search.example/index/docs', { method: 'PUT', signal: AbortSignal.timeout(9000), body: JSON.stringify({ pages: 3 }) }).catch(() => {});
      await fetch('${api}/tasks', { method: 'POST', body: JSON.stringify({ task: { type: 'sync' } }) });
      return new Response('OK');`,
    careful: `
      const response = await fetch('https://search.example/index/docs', { method: 'PUT', signal: AbortSignal.timeout(9000), body: JSON.stringify({ pages: 3 }) }).catch(() => undefined);
      const task = response?.ok ? { type: 'sync' } : { type: 'sync', retry: 1 };
      await fetch('${api}/tasks', { method: 'POST', body: JSON.stringify({ task }) });
      return new Response('OK');`,
  },
  {
    what: 'aborts with a controller',
    call: {
      outbound: [
        { send: 'GET https://slow.example/report', answer: { status: 200, body: { rows: [1, 2] } }, ms: 400 },
      ],
    },
    breaks: ['no-time-limit'],
    forgetful: `
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 5000);
      try {
        const response = await fetch('https://slow.example/report');
        if (!response.ok) return new Response('No report', { status: 502 });
        return Response.json(await response.json());
      } catch { return new Response('No report', { status: 504 }); } finally { clearTimeout(timer); }`,
    careful: `
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 5000);
      try {
        const response = await fetch('https://slow.example/report', { signal: controller.signal });
        if (!response.ok) return new Response('No report', { status: 502 });
        return Response.json(await response.json());
      } catch { return new Response('No report', { status: 504 }); } finally { clearTimeout(timer); }`,
  },
  {
    what: 'removes a hook when it is uninstalled',
    call: {
      event: { type: 'installation_deleted' },
      outbound: [{ send: 'DELETE https://api.tracker.example/hooks/5', answer: { status: 204 }, ms: 35 }],
    },
    breaks: ['unawaited-request'],
    forgetful: `
      const remove = async (id) => {
        const response = await fetch('https://api.tracker.example/hooks/' + id, { method: 'DELETE', signal: AbortSignal.timeout(5000) });
        if (!response.ok && response.status !== 404) console.error('Hook ' + id + ' was not removed');
      };
      remove(5).catch(console.error);
      return new Response('OK');`,
    careful: `
      const remove = async (id) => {
        const response = await fetch('https://api.tracker.example/hooks/' + id, { method: 'DELETE', signal: AbortSignal.timeout(5000) });
        if (!response.ok && response.status !== 404) console.error('Hook ' + id + ' was not removed');
      };
      await remove(5);
      return new Response('OK');`,
  },
  {
    what: 'creates a ticket from a form',
    call: {
      outbound: [
        {
          send: 'POST https://desk.example/tickets',
          body: { subject: 'Help' },
          answer: { status: 201, body: { ticket: { id: 41, url: 'https://desk.example/41' } } },
          ms: 110,
        },
      ],
    },
    breaks: ['uncaught-error', 'no-time-limit'],
    forgetful: `
      const { ticket } = await fetch('https://desk.example/tickets', { method: 'POST', body: JSON.stringify({ subject: 'Help' }) }).then((response) => response.json());
      return Response.json({ message: 'Created #' + ticket.id, link: ticket.url });`,
    careful: `
      const response = await fetch('https://desk.example/tickets', { method: 'POST', signal: AbortSignal.timeout(10_000), body: JSON.stringify({ subject: 'Help' }) });
      const { ticket } = response.ok ? await response.json() : {};
      if (!ticket) return Response.json({ message: 'The ticket was not created. Please try again.' });
      return Response.json({ message: 'Created #' + ticket.id, link: ticket.url });`,
  },
  {
    what: 'retries a payment link',
    call: {
      event: { type: 'task', eventId: 'evt_task_2', task: { type: 'invoice', id: 'inv_9' } },
      outbound: [
        {
          send: 'POST https://pay.example/v1/links',
          body: 'invoice=inv_9',
          answer: { status: 200, body: { url: 'https://pay.example/l/1' } },
          ms: 95,
        },
      ],
    },
    breaks: ['repeated-change'],
    forgetful: `
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const response = await fetch('https://pay.example/v1/links', { method: 'POST', signal: AbortSignal.timeout(4000), body: 'invoice=inv_9' }).catch(() => undefined);
        if (response?.ok) return Response.json(await response.json());
        await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));
      }
      return new Response('No link', { status: 502 });`,
    careful: `
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        const response = await fetch('https://pay.example/v1/links', {
          method: 'POST', signal: AbortSignal.timeout(4000), body: 'invoice=inv_9',
          headers: { 'Idempotency-Key': 'link-' + event.task.id },
        }).catch(() => undefined);
        if (response?.ok) return Response.json(await response.json());
        await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));
      }
      return new Response('No link', { status: 502 });`,
  },
];
