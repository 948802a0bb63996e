import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';

let platform: DevPlatform;
/** The data in the page with the blocks that identifies the page to the browser. */
let start: { space: string; page: string };
beforeAll(async () => {
  platform = await startDevPlatform('console', ['--state', 'memory']);
  // Waits until the script's process responds.
  await fetch(platform.endpoint);
  const html = await (await fetch(platform.siteOrigin)).text();
  start = JSON.parse(/id="page-data"[^>]*>([^<]*)/.exec(html)?.[1] ?? '') as typeof start;
}, 60_000);
afterAll(() => platform.close());

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request with any headers, including those that `fetch` cannot send. */
const send = (path: string, headers: Record<string, string> = {}, body?: object): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(platform.siteOrigin);
    const text = body && JSON.stringify(body);
    const sent = request(
      { host: hostname, port, path, method: text ? 'POST' : 'GET', headers },
      (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (piece: string) => (received += piece));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
        );
      },
    );
    sent.on('error', reject).end(text);
  });

const own = () => ({ origin: platform.siteOrigin, 'x-platform-token': platform.siteKey });
const view = (): object => ({ ...start, visitor: 'visitor-1', referrer: '' });
const calls = async (type: string): Promise<{ id: string }[]> => platform.api('GET', `/calls?type=${type}`);

test.each([
  ['another host name', { host: 'localhost' }],
  ["an attacker's host name", { host: 'attacker.example' }],
  ['a proxy', { 'x-forwarded-for': '192.0.2.1' }],
  ['another origin', { origin: 'https://attacker.example' }],
  ['a null origin', { origin: 'null' }],
  ['a fetch from another page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ['a page on another port', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
  ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
])('rejects a GET request from %s', async (_, headers) => {
  const { port } = new URL(platform.siteOrigin);
  const whole: Record<string, string> = { ...headers };
  if (whole['host']) whole['host'] += `:${port}`;
  const before = (await calls('ui_render')).length;
  expect((await send('/', whole)).status).toBe(403);
  expect((await calls('ui_render')).length).toBe(before);
});

test('opens the site from a link on another page', async () => {
  const headers = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  expect((await send('/', headers)).status).toBe(200);
});

test('replaces any service worker with one that removes itself', async () => {
  const { headers, text } = await send('/sw.js', { 'service-worker': 'script' });
  expect(headers['service-worker-allowed']).toBe('/');
  expect(text).toContain('registration.unregister()');
});

test('sends a strict content security policy with each page, and clears old data with the first one', async () => {
  const { headers, text } = await send('/', {
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  });
  const origin = platform.siteOrigin;
  const policy = String(headers['content-security-policy']);
  for (const rule of [
    "default-src 'none'",
    `script-src ${origin}/~/app.js`,
    `connect-src ${origin}/~/`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy.split('; ')).toContain(rule);
  expect(headers).toMatchObject({
    'clear-site-data': '"storage"',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  // The page contains neither the site key, which would let other users act on the site, nor the console's key.
  expect(text).not.toContain(platform.siteKey);
  expect(text).not.toContain(platform.key);
});

test.each(['render', 'view', 'rate', 'follow', 'visitor', 'sign-out'])(
  'rejects the action %s without the exact origin or the key',
  async (action) => {
    const path = `/~/${action}`;
    const { origin, 'x-platform-token': key } = own();
    expect((await send(path, { 'x-platform-token': key ?? '' }, view())).status).toBe(403);
    expect((await send(path, { ...own(), origin: platform.consoleOrigin }, view())).status).toBe(403);
    expect((await send(path, { origin: origin ?? '' }, view())).status).toBe(401);
    expect((await send(path, { ...own(), 'x-platform-token': platform.key }, view())).status).toBe(401);
    expect(await calls('space_view')).toEqual([]);
  },
);

test('the site key grants access only to the site', async () => {
  const headers = { 'X-Platform-Token': platform.siteKey };
  expect((await fetch(`${platform.consoleOrigin}/console/api/overview`, { headers })).status).toBe(401);
});

test('ignores the visitor, URL and cookies that the browser sends with an event', async () => {
  const forged = {
    ...view(),
    url: 'https://attacker.example/',
    referrer: 'https://attacker.example/',
    claims: { admin: true },
    cookies: { session: 'stolen' },
  };
  expect((await send('/~/view', { ...own(), cookie: 'session=of-another-port' }, forged)).status).toBe(204);
  const [{ id } = { id: '' }] = await calls('site_view');
  const { event } = await platform.api<{ event: object }>('GET', `/calls/${id}`);
  expect(event).toMatchObject({ url: `${platform.siteOrigin}/`, referrer: '', visitor: { cookies: {} } });
  expect(JSON.stringify(event)).not.toMatch(/of-another-port|stolen|admin|attacker/);
});

test('ignores block properties sent by the browser', async () => {
  const block = { ...start, nth: 1 };
  const post = (more: object): Promise<Answer> => send('/~/render', own(), { ...block, ...more });
  expect((await post({ props: { title: 'forged' } })).status).toBe(403);
  expect((await post({ component: 'incident' })).status).toBe(400);
  expect((await post({ component: 'incident', props: {} })).status).toBe(403);
  const first = JSON.parse((await post({})).text) as { props: object; seal: string };
  expect((await post({ props: first.props, seal: first.seal })).status).toBe(200);
  expect((await post({ props: { ...first.props, title: 'forged' }, seal: first.seal })).status).toBe(403);
  expect((await post({ nth: 2, props: first.props, seal: first.seal })).status).toBe(403);
});

test('limits the views that it accepts to 20 per second', async () => {
  const began = performance.now();
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => (await send('/~/view', own(), view())).status),
  );
  const sent = statuses.filter((status) => status === 204).length;
  expect(sent).toBeGreaterThan(0);
  const seconds = (performance.now() - began) / 1000;
  expect(sent).toBeLessThanOrEqual(20 * Math.ceil(seconds + 1));
  expect(statuses.filter((status) => status === 429).length).toBe(60 - sent);
});

test('never prints the site key or writes it to the --ready-file', () => {
  expect(platform.output).not.toContain(platform.siteKey);
  expect(readFileSync(join(platform.folder, '.ready.json'), 'utf8')).not.toContain(platform.siteKey);
});
