// Handlers with one fault each, next to a right one that does the same.

import type { RecordedCall } from '../../src/recordings/file/recording.js';
import type { FaultFinding } from '../../src/recordings/faults/judge-fault.js';

export interface Handler {
  name: string;
  /** The rules that it breaks. */
  breaks: FaultFinding['rule'][];
  code: string;
  call: Partial<RecordedCall>;
}

const PLATFORM = 'http://127.0.0.1:4100/api';
const limited = 'signal: AbortSignal.timeout(5000)';
const items = { send: 'GET https://api.example/items', answer: { status: 200, body: { items: [1] } }, ms: 5 };
const ok = (send: string, body?: object): RecordedCall['outbound'][number] => ({
  send,
  ...(body && { body }),
  answer: { status: 200, body: { ok: true } },
  ms: 5,
});
const post = ok('POST https://api.example/messages', { text: 'hi' });
const send = (init = ''): string =>
  `fetch('https://api.example/messages', { method: 'POST', body: '{"text":"hi"}', ${limited}, ${init} })`;
const keyed = `headers: { 'Idempotency-Key': 'note-1' }`;
const store = ok(`PATCH ${PLATFORM}/installation`, { count: 1, name: 'a' });
const keep = `fetch('${PLATFORM}/installation', { method: 'PATCH', body: JSON.stringify(data) })`;
const logged = 'POST https://audit.example/handled';
const logDelivery = `const noted = await fetch('https://audit.example/handled', { method: 'POST', body: JSON.stringify({ id: event.request.headers['x-github-delivery'] }), ${limited} }); if (!noted.ok) console.error(noted.status);`;
const list = `fetch('https://api.example/items', { ${limited} })`;
const done = `return new Response('ok');`;
const failedResponse = `return new Response('The service does not respond.', { status: 502 });`;
const copy = `const copied = await fetch('https://api.example/copy', { method: 'PUT', body: JSON.stringify(data), ${limited} }).catch(() => undefined); if (!copied?.ok) { ${failedResponse} }`;
const delivered = {
  type: 'fetch',
  request: { method: 'POST', url: 'https://x.example/hook', headers: { 'x-github-delivery': 'delivery-71' } },
};
const secret = {
  stored: {
    installation: {
      id: 'ins_1',
      organization: 'acme',
      status: 'active' as const,
      configuration: { token: 'example-token-value' },
      externalIds: [],
    },
  },
};

const text = { status: 200, headers: { 'content-type': 'text/plain;charset=UTF-8' }, body: 'ok' };
const sum = { ...text, body: '1' };
const pair = (
  name: string,
  rule: FaultFinding['rule'],
  call: Partial<RecordedCall>,
  wrong: string,
  right: string,
): Handler[] => [
  { name: `${name} (faulty)`, breaks: [rule], code: wrong, call: { response: text, ...call } },
  { name: `${name} (correct)`, breaks: [], code: right, call: { response: text, ...call } },
];
const check = `if (!answer.ok) { ${failedResponse} }`;
const guarded = (body: string): string =>
  `try { ${body} } catch (error) { console.error(error); ${failedResponse} }`;

const manyWrites = (attempts: number): string =>
  `let failed = false; for (let i = 0; i < 24; i++) { let answer; for (let n = 0; n < ${attempts}; n++) { answer = await ${send(`method: 'PUT'`)}; if (answer.ok) break; } failed ||= !answer.ok; } if (failed) { ${failedResponse} } ${done}`;

export const handlers: Handler[] = [
  ...pair(
    'expects JSON from an error page',
    'uncaught-error',
    { outbound: [items] },
    `const answer = await ${list}; await answer.json(); ${check} ${done}`,
    `const answer = await ${list}; ${check} await answer.json(); ${done}`,
  ),
  ...pair(
    'starts over after a later failure',
    'repeated-change',
    { outbound: [post, items] },
    guarded(
      `for (let n = 0; n < 2; n++) { const sent = await ${send()}; if (!sent.ok) continue; const answer = await ${list}; if (answer.ok) { ${done} } } ${failedResponse}`,
    ),
    guarded(
      `const sent = await ${send()}; if (!sent.ok) { ${failedResponse} } for (let n = 0; n < 2; n++) { const answer = await ${list}; if (answer.ok) { ${done} } } ${failedResponse}`,
    ),
  ),
  ...pair(
    'removes its token after a failure',
    'lost-data',
    { ...secret, outbound: [items] },
    `try { const answer = await ${list}; ${check} ${done} } catch { const data = { configuration: {} }; await ${keep}.catch(() => {}); ${failedResponse} }`,
    guarded(
      `const answer = await ${list}; const data = { configuration: {} }; if (answer.status === 401) await ${keep}; ${check} ${done}`,
    ),
  ),
  ...pair(
    'greets someone whose name is missing',
    'missing-value',
    { outbound: [{ ...items, answer: { status: 200, body: { name: 'ok' } } }] },
    guarded(
      `const answer = await ${list}; const data = await answer.json().catch(() => ({})); return new Response(String(data.name));`,
    ),
    guarded(`const answer = await ${list}; ${check} return new Response((await answer.json()).name);`),
  ),
  ...pair(
    'calculates with a missing value',
    'missing-value',
    {
      outbound: [{ ...items, answer: { status: 200, body: { price: 2 } } }],
      response: { ...text, headers: { 'content-type': 'application/json' }, body: { total: 'Total: 4' } },
    },
    guarded(
      `const answer = await ${list}; const data = answer.ok ? await answer.json() : {}; return Response.json({ total: 'Total: ' + data.price * 2 });`,
    ),
    guarded(
      `const answer = await ${list}; ${check} return Response.json({ total: 'Total: ' + (await answer.json()).price * 2 });`,
    ),
  ),
  ...pair(
    'replaces a list of another service',
    'lost-data',
    { outbound: [items, ok('PUT https://api.example/copy', { items: [1] })] },
    `const answer = await ${list}.catch(() => undefined); const data = answer?.ok ? await answer.json() : { items: [] }; ${copy} ${done}`,
    guarded(`const answer = await ${list}; ${check} const data = await answer.json(); ${copy} ${done}`),
  ),
  ...pair(
    'sends a change again although only its response is missing',
    'repeated-change',
    { outbound: [post] },
    `for (let n = 0; n < 2; n++) { const answer = await ${send()}.catch(() => undefined); if (answer?.ok) { ${done} } } ${failedResponse}`,
    `for (let n = 0; n < 2; n++) { const answer = await ${send(keyed)}.catch(() => undefined); if (answer?.ok) { ${done} } } ${failedResponse}`,
  ),
  ...pair(
    'retries each of many writes',
    'many-requests',
    { outbound: Array.from({ length: 24 }, () => ({ ...post, send: post.send.replace('POST', 'PUT') })) },
    guarded(manyWrites(9)),
    guarded(manyWrites(2)),
  ),
  ...pair(
    'receives a delivery whose header has an unusual name',
    'repeated-change',
    {
      event: { ...delivered, request: { ...delivered.request, headers: { 'x-attempt-of': 'run-71-a' } } },
      outbound: [post],
    },
    guarded(`const answer = await ${send()}; ${check} ${done}`),
    guarded(`const answer = await ${send(`headers: { 'x-request-id': 'note-1' }`)}; ${check} ${done}`),
  ),
  {
    name: 'falls back when a read-only POST fails',
    breaks: [],
    code: `const answer = await fetch('https://api.example/users.lookupByEmail', { method: 'POST', body: '{}', ${limited} }).catch(() => undefined); ${done}`,
    call: { response: text, outbound: [ok('POST https://api.example/users.lookupByEmail', {})] },
  },
  ...pair(
    'assumes that a list exists',
    'uncaught-error',
    { outbound: [items], response: sum },
    `const { items } = await (await ${list}).json(); return new Response(String(items.length));`,
    guarded(
      `const answer = await ${list}; ${check} const { items } = await answer.json(); return new Response(String(items.length));`,
    ),
  ),
  ...pair(
    'reads a nested field of the response',
    'uncaught-error',
    { outbound: [{ ...items, answer: { status: 200, body: { data: { user: { name: 'ok' } } } } }] },
    `const { data } = await (await ${list}).json(); return new Response(data.user.name);`,
    guarded(
      `const answer = await ${list}; ${check} const { data } = await answer.json(); return new Response(data?.user?.name ?? 'unknown');`,
    ),
  ),
  ...pair(
    'iterates over a response in the background',
    'uncaught-error',
    { outbound: [items] },
    `context.waitUntil((async () => { const { items } = await (await ${list}).json(); for (const item of items) console.log(item); })()); ${done}`,
    `context.waitUntil((async () => { try { const { items = [] } = await (await ${list}).json(); for (const item of items) console.log(item); } catch (error) { console.error('list failed', error); } })()); ${done}`,
  ),
  ...pair(
    'calls a method on a response field',
    'uncaught-error',
    { outbound: [{ ...items, answer: { status: 200, body: { text: 'OK' } } }] },
    `const { text } = await (await ${list}).json(); return new Response(text.toLowerCase());`,
    guarded(
      `const answer = await ${list}; ${check} const { text } = await answer.json(); return new Response(text.toLowerCase());`,
    ),
  ),
  ...pair(
    'sends a request without a time limit',
    'no-time-limit',
    { outbound: [items] },
    guarded(`await fetch('https://api.example/items'); ${done}`),
    guarded(`await ${list}; ${done}`),
  ),
  ...pair(
    'sends a background request without a time limit',
    'no-time-limit',
    { outbound: [items] },
    `context.waitUntil(fetch('https://api.example/items').catch(console.error)); ${done}`,
    `context.waitUntil(${list}.catch(console.error)); ${done}`,
  ),
  ...pair(
    'races a request against a timer',
    'no-time-limit',
    { outbound: [items] },
    guarded(
      `await Promise.all([fetch('https://api.example/items'), new Promise((resolve) => setTimeout(resolve, 100))]); ${done}`,
    ),
    guarded(
      `await Promise.race([fetch('https://api.example/items'), new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 3000))]); ${done}`,
    ),
  ),
  ...pair(
    'waits as long as Retry-After specifies',
    'no-time-limit',
    { outbound: [items] },
    guarded(
      `let answer = await ${list}; if (answer.status === 429) { await new Promise((resolve) => setTimeout(resolve, 1000 * answer.headers.get('retry-after'))); answer = await ${list}; } ${check} ${done}`,
    ),
    guarded(
      `let answer = await ${list}; const wait = Number(answer.headers.get('retry-after')); if (answer.status === 429 && wait < 5) { await new Promise((resolve) => setTimeout(resolve, 1000 * wait)); answer = await ${list}; } ${check} ${done}`,
    ),
  ),
  ...pair(
    'ignores the response status',
    'lost-change',
    { outbound: [post] },
    guarded(`await ${send()}; ${done}`),
    guarded(`const answer = await ${send()}; ${check} ${done}`),
  ),
  ...pair(
    'swallows an error',
    'lost-change',
    { outbound: [post] },
    `try { const answer = await ${send()}; if (!answer.ok) throw new Error('failed'); } catch {} ${done}`,
    `try { const answer = await ${send()}; if (!answer.ok) throw new Error('failed'); } catch (error) { console.error('not sent', error); } ${done}`,
  ),
  ...pair(
    'sends a change in the background',
    'lost-change',
    { outbound: [post] },
    `context.waitUntil(${send()}.catch(() => {})); ${done}`,
    `context.waitUntil(${send()}.then((answer) => { if (!answer.ok) throw new Error('failed'); })); ${done}`,
  ),
  ...pair(
    'gives up after retries',
    'lost-change',
    { outbound: [post] },
    `for (let n = 0; n < 3; n++) { const answer = await ${send(keyed)}.catch(() => undefined); if (answer?.ok) break; } ${done}`,
    `for (let n = 0; n < 3; n++) { const answer = await ${send(keyed)}.catch(() => undefined); if (answer?.ok) { ${done} } } ${failedResponse}`,
  ),
  ...pair(
    'queues a task to try again later',
    'lost-change',
    { outbound: [post] },
    `const answer = await ${send()}.catch(() => undefined); if (!answer?.ok) void 'later'; ${done}`,
    `const answer = await ${send()}.catch(() => undefined); if (!answer?.ok) await fetch('${PLATFORM}/tasks', { method: 'POST', body: '{}' }).catch(console.error); ${done}`,
  ),
  ...pair(
    'does not wait for a request',
    'unawaited-request',
    { outbound: [post] },
    `void ${send()}.catch(console.error); ${done}`,
    `context.waitUntil(${send()}.then((answer) => answer.ok || console.error('failed'), console.error)); ${done}`,
  ),
  ...pair(
    'waits for only one of two requests',
    'unawaited-request',
    { outbound: [items, post] },
    guarded(`const answer = await ${list}; ${check} void ${send()}.catch(console.error); ${done}`),
    guarded(
      `const first = await ${list}; if (!first.ok) { ${failedResponse} } const answer = await ${send()}; ${check} ${done}`,
    ),
  ),
  ...pair(
    'retries forever',
    'many-requests',
    { outbound: [items] },
    `for (;;) { const answer = await ${list}.catch(() => undefined); if (answer?.ok) { ${done} } }`,
    `for (let n = 0; n < 5; n++) { const answer = await ${list}.catch(() => undefined); if (answer?.ok) { ${done} } } ${failedResponse}`,
  ),
  ...pair(
    'sends a change again on redelivery',
    'repeated-change',
    { event: delivered, outbound: [post] },
    guarded(`const answer = await ${send()}; ${check} ${done}`),
    guarded(
      `const answer = await ${send(`headers: { 'Idempotency-Key': event.request.headers['x-github-delivery'] }`)}; ${check} ${done}`,
    ),
  ),
  ...pair(
    'remembers handled deliveries',
    'repeated-change',
    { event: delivered, outbound: [post] },
    guarded(
      `const seen = new Set(); if (seen.has(1)) { ${done} } seen.add(1); const answer = await ${send()}; ${check} ${done}`,
    ),
    guarded(
      `const seen = (globalThis.seen ??= new Set()); const id = event.request.headers['x-github-delivery']; if (seen.has(id)) { ${done} } const answer = await ${send()}; ${check} seen.add(id); ${done}`,
    ),
  ),
  ...pair(
    'shows an error that contains a token',
    'leaked-secret',
    { ...secret, outbound: [{ ...items, send: 'GET https://api.example/items?token=example-token-value' }] },
    `const url = 'https://api.example/items?token=' + environment.installation.configuration.token; try { const answer = await fetch(url, { ${limited} }); ${check} ${done} } catch (error) { return new Response('Failed: ' + url, { status: 502 }); }`,
    `const url = 'https://api.example/items?token=' + environment.installation.configuration.token; try { const answer = await fetch(url, { ${limited} }); ${check} ${done} } catch (error) { return new Response('Failed: ' + new URL(url).host, { status: 502 }); }`,
  ),
  ...pair(
    'stores incomplete data after a failure',
    'lost-data',
    { outbound: [items, store] },
    `const answer = await ${list}.catch(() => undefined); const data = answer?.ok ? { count: 1, name: 'a' } : { count: 1 }; await ${keep}; ${done}`,
    guarded(
      `const answer = await ${list}; ${check} const data = { count: 1, name: 'a' }; await ${keep}; ${done}`,
    ),
  ),
  ...pair(
    'names the delivery only in a later request',
    'repeated-change',
    { event: delivered, outbound: [post, { ...ok(logged), body: { id: 'delivery-71' } }] },
    guarded(`const answer = await ${send()}; ${check} ${logDelivery} ${done}`),
    guarded(
      `const answer = await ${send(`headers: { 'Idempotency-Key': event.request.headers['x-github-delivery'] }`)}; ${check} ${logDelivery} ${done}`,
    ),
  ),
  ...pair(
    'redirects after a change',
    'lost-change',
    { outbound: [post], response: { status: 302, headers: { location: 'https://docs.example/saved' } } },
    `await ${send()}.catch(() => {}); return Response.redirect('https://docs.example/saved');`,
    `const answer = await ${send()}.catch(() => undefined); return Response.redirect(answer?.ok ? 'https://docs.example/saved' : 'https://docs.example/failed');`,
  ),
  ...pair(
    'replaces a stored list with what it has received',
    'lost-data',
    {
      outbound: [
        { ...items, answer: { status: 200, body: { items: [1, 2] } } },
        { ...store, body: { items: [1, 2] } },
      ],
      response: { ...text, body: 'Stored 2 items' },
    },
    `const answer = await ${list}.catch(() => undefined); const { items } = answer?.ok ? await answer.json().catch(() => ({ items: [] })) : { items: [] }; const data = { items }; await ${keep}; console.log('stored', items.length); return new Response('Stored ' + items.length + ' items');`,
    guarded(
      `const answer = await ${list}; ${check} const { items } = await answer.json(); const data = { items }; await ${keep}; console.log('stored', items.length); return new Response('Stored ' + items.length + ' items');`,
    ),
  ),
  ...pair(
    'reads a field whose name contains JSON',
    'uncaught-error',
    { outbound: [{ ...items, answer: { status: 200, body: { meta: { asJSON: 'ok' } } } }] },
    `const { meta } = await (await ${list}).json(); return new Response(meta.asJSON);`,
    guarded(
      `const answer = await ${list}; ${check} const { meta } = await answer.json(); return new Response(meta?.asJSON ?? 'unknown');`,
    ),
  ),
];
