import { createVirtualClock } from '../../src/base/clock.js';
import { createMovableClock } from '../../src/base/movable-clock.js';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openContent } from '../../src/content/index.js';
import { createCall, type Call } from '../../src/contract/call.js';
import { consoleApi, type RouteName } from '../../src/contract/console-api.js';
import { fieldsOf, type Route } from '../../src/contract/basics/route.js';
import { createIntegration } from '../../src/runtime/create-integration.js';
import { configured } from '../emulator/http/controlled.js';
import { controlToken, startSample, type Sample } from '../emulator/emulator-under-test.js';
import { checkLiveEvent, checkResponse, liveEventSchema } from '../support/check-response.js';

const blocks = [{ id: 'counter', title: 'Counter', urlUnfurl: [] }];

const script = createIntegration({
  fetch: async (request) =>
    request.url.includes('/teams') ? Response.json(['a', 'b']) : new Response(await request.text()),
  events: {
    space_content_updated: async () => {
      await fetch('https://outside.example/');
    },
  },
});

/** `control` compares every response with the schema of its route. */
function createChecked({ control, get }: Sample): { call: Call; called: Set<string> } {
  const called = new Set<string>();
  const send = createCall(async ({ method, path, body }) => {
    if (path === '/stream') {
      const headers = { 'x-platform-token': controlToken };
      const response = await get('/console/api/stream', { headers });
      const reader = response.body?.getReader();
      const first = new TextDecoder().decode((await reader?.read())?.value);
      await reader?.cancel();
      return first;
    }
    const response = await control(method, path, body && JSON.parse(body));
    expect([200, 204], `${method} ${path}: ${JSON.stringify(response)}`).toContain(response.status);
    return response.body;
  });
  const call: Call = (route, ...input) => {
    called.add(route);
    return send(route, ...input);
  };
  return { call, called };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'platform-pages-'));
  writeFileSync(join(folder, 'README.md'), '# Start\n\ntext\n');
  writeFileSync(join(folder, 'dot.png'), 'x');
});
afterEach(() => rmSync(folder, { recursive: true }));

const start = async (): Promise<Sample> => {
  const movable = createMovableClock(createVirtualClock(Date.UTC(2026, 0, 1)));
  const sample = await startSample(script, {
    clock: movable,
    movable,
    integration: { ...configured, visibility: 'public', blocks },
    mount: (spaceId, ids) => openContent({ folder, spaceId, ids, clock: { now: () => 0 } }),
    siteLink: 'http://127.0.0.1:43000/#key=k',
    folder: realpathSync(tmpdir()),
    listing: () => ({ summary: { errors: 0, warnings: 0, infos: 0 }, diagnostics: [], checks: [] }),
    replayFailures: async () => [],
    record: async () => ({ file: 'recordings/all.json', calls: ['GET /'], facts: [] }),
    editor: { open: async () => ({ outcome: 'opened' }) },
    outside: async () => new Response('OK'),
  });
  return sample;
};

const routes = Object.entries<Route>(consoleApi) as [RouteName, Route][];

it('responds on every route as declared in the contract', async () => {
  const sample = await start();
  const { call, called } = createChecked(sample);
  expect(await call('GET /overview')).toMatchObject({ installations: [{ id: 'installation_1' }] });
  expect(await call('GET /integrations')).toMatchObject([{ running: true, key: expect.any(String) }]);
  await callEvery(call, sample);
  expect(
    routes.map(([name]) => name).filter((name) => !called.has(name)),
    'call these routes in callEvery(), in this file',
  ).toEqual([]);
});

it('covers the routes from every file in src/contract/routes', async () => {
  const folder = new URL('../../src/contract/routes/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(5);
  const declared = await Promise.all(
    files.map(async (file) => {
      const exported = Object.entries((await import(new URL(file, folder).href)) as Record<string, object>);
      return exported
        .filter(([name]) => name.endsWith('Routes'))
        .flatMap(([, list]) => Object.keys(list).map((name) => [file, name] as const));
    }),
  );
  expect(
    declared.flat().filter(([, name]) => !(name in consoleApi)),
    'add the routes of these files to src/contract/console-api.ts',
  ).toEqual([]);
  expect(declared.flat().length).toBe(routes.length);
});

it('streams every event type as declared in the contract', async () => {
  const sample = await start();
  const stream = await sample.get('/console/api/stream', { headers: { 'x-platform-token': controlToken } });
  const { emulator } = sample;
  await callEvery(createChecked(sample).call, sample);
  emulator.reload({ ...configured, visibility: 'public', blocks }, 'another build');
  emulator.reportBuild({ ok: true, what: 'script', time: 0, problems: [] });
  const text = await readUntil(stream, 'event: build');
  const events = [...text.matchAll(/^data: (.+)$/gm)].flatMap(([, data = '']) => {
    const event = JSON.parse(data) as { type?: string };
    return event.type === undefined ? [] : [event];
  });
  for (const event of events) checkLiveEvent(event);
  const declared = liveEventSchema.anyOf.flatMap(({ properties }) => properties.type.enum);
  const seen = new Set(events.map(({ type }) => type));
  expect(declared.filter((type) => !seen.has(type))).toEqual([]);
});

async function readUntil({ body }: Response, last: string): Promise<string> {
  let text = '';
  for await (const piece of body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes(last)) break;
  }
  return text;
}

const creating: RouteName[] = ['PUT /preferences/{key}', 'PUT /snapshots/{name}'];

it('every route rejects an unknown id with a declared error', async () => {
  const { control } = await start();
  const withId = routes.filter(([name]) => name.includes('{') && !creating.includes(name));
  const responses = await Promise.all(
    withId.map(async ([name]) => {
      const [method = '', path = ''] = name.split(' ');
      const unknown = path.replace('{number}', '0').replaceAll(/[{]\w+[}]/g, 'unknown');
      const { status } = await control(method, unknown);
      return [name, status];
    }),
  );
  expect(
    responses.filter(([, status]) => status !== 404),
    'these do not respond with 404 to an unknown id; add a route that takes any name to `creating`',
  ).toEqual([]);
});

it('every route with a body rejects a field of the wrong type', async () => {
  const { control } = await start();
  const withBody = routes.flatMap(([name, route]) => {
    const fields = fieldsOf(name, route).body.filter(
      (field) => 'type' in (route.input.properties[field] ?? {}),
    );
    return fields.map((field) => [name, field] as const);
  });
  const responses = await Promise.all(
    withBody.map(async ([name, field]) => {
      const [method = '', path = ''] = name.split(' ');
      const { status, body } = await control(method, path.replaceAll(/[{]\w+[}]/g, 'any'), { [field]: null });
      return [name, field, status, (body as { code?: string }).code];
    }),
  );
  expect(responses.length).toBeGreaterThan(10);
  expect(
    responses.filter(([, , status, code]) => status !== 400 || code !== 'invalid'),
    'these routes accept null in this field',
  ).toEqual([]);
});

it.each<[what: string, route: RouteName, response: Response, body: unknown]>([
  ['a missing field', 'GET /pages', Response.json({}), {}],
  ['a field that is not declared', 'GET /pages', Response.json({}), { connected: 0, more: 1 }],
  ['an undeclared error', 'GET /pages', new Response('', { status: 409 }), { error: '', code: 'x' }],
  ['a body where none is declared', 'DELETE /tasks/{task}', Response.json({}), {}],
  ['a different content type', 'GET /pages', new Response('x'), { connected: 0 }],
])('the response check detects %s', (_, route, response, body) => {
  const [method = '', path = ''] = route.split(' ');
  expect(() => checkResponse({ method, path }, response, body)).toThrow(route);
});

async function callEvery(call: Call, sample: Sample): Promise<void> {
  await call('GET /connections');
  const installation = 'installation_1';
  await callReads(call);
  await call('POST /installations', { organization: 'org_other' });
  expect(
    await call('GET /installations/{installation}/dependents', { installation: 'installation_2' }),
  ).toContainEqual({ what: 'its public endpoint', names: [] });
  await call('DELETE /installations/{installation}', { installation: 'installation_2' });
  await call('POST /installations/{installation}/pause', { installation });
  await call('POST /installations/{installation}/resume', { installation });
  const [site, space] = [
    { installation, target: 'site_local' },
    { installation, target: 'space_local' },
  ];
  await call('DELETE /installations/{installation}/sites/{target}', site);
  await call('POST /installations/{installation}/sites/{target}', site);
  await call('DELETE /installations/{installation}/spaces/{target}', space);
  await call('POST /installations/{installation}/spaces/{target}', space);
  await call('PATCH /configuration', { installation, set: { key: 'set' }, unset: ['team'] });

  await call('GET /clock');
  await call('POST /clock', { to: Date.UTC(2026, 0, 1, 1), untilIdle: true });
  await call('DELETE /clock');
  await call('PUT /preferences/{key}', { key: 'theme', value: 'dark' });
  await call('PUT /snapshots/{name}', { name: 'saved' });
  await call('POST /snapshots/{name}/load', { name: 'saved' });
  await call('DELETE /snapshots/{name}', { name: 'saved' });

  await call('POST /events/sample', { type: 'site_view' });
  await callWebhooks(call, sample);
  const path = `/v1/integrations/sample/installations/${installation}/echo`;
  await (await sample.get(path, { method: 'POST', body: 'sent' })).text();
  const [recorded] = await call('GET /calls', { type: 'fetch', limit: 1 });
  expect(await call('GET /calls/count', { type: 'fetch' })).toMatchObject({ matching: 2 });
  const id = { call: recorded?.id ?? '' };
  await call('POST /recordings', { calls: [id.call] });
  expect(await call('POST /failures/replay', { calls: [id.call] })).toMatchObject([{ verdict: 'unknown' }]);
  const { groups, ...totals } = await call('GET /calls/problems');
  expect(totals).toEqual({ version: 1, errors: { current: 0, all: 0 }, warnings: { current: 1, all: 1 } });
  const reason = groups[0]?.reason;
  expect(await call('GET /calls/count', { current: true, warnings: true, reason })).toMatchObject({
    matching: 1,
  });
  expect(await call('GET /calls/{call}', id)).toMatchObject({ event: { type: 'fetch' } });
  expect(await call('GET /calls/{call}/signature', id)).toMatchObject({ valid: false });
  await call('GET /calls/{call}/request-body', id);
  await call('GET /calls/{call}/response-body', id);
  expect(await call('POST /calls/{call}/replay', id)).toMatchObject({ same: true });

  const sent = { method: 'PUT', path: '/echo?a=1', body: { encoding: 'base64' as const, content: 'AP8=' } };
  expect(await call('POST /requests', sent)).toMatchObject({ status: 200, outcome: 'ok' });
  await call('POST /render', { component: 'counter' });
  const block = await call('POST /blocks', { component: 'counter', props: { start: 1 } });
  expect(await call('GET /blocks')).toEqual([block]);
  await call('DELETE /blocks/{block}', { block: block.id });

  const { apiTokens } = sample.calls.at(-1)?.environment ?? { apiTokens: { integration: '' } };
  for (const type of ['later', 'never'])
    await sample.get('/api/v1/integrations/sample/tasks', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiTokens.integration}`, 'content-type': 'application/json' },
      body: JSON.stringify({ task: { type }, schedule: 3600 }),
    });
  const [task, other] = await call('GET /tasks');
  await call('POST /tasks/{task}/run', { task: task?.id ?? '' });
  await call('POST /calls/{call}/stop', { call: 'running' });
  await call('DELETE /tasks/{task}', { task: other?.id ?? '' });
  await callContent(call);
}

async function callReads(call: Call): Promise<void> {
  await call('GET /installations');
  await call('GET /installations/{installation}', { installation: 'installation_1' });
  await call('GET /install-link');
  await call('GET /listing');
  await call('POST /editor', { file: 'src/index.tsx', line: 3 });
  await call('GET /spaces');
  await call('GET /sites');
  await call('GET /pages');
  await call('GET /events');
  await call('GET /configuration', { site: 'site_local' });
  await call('GET /options', { property: 'team', q: 'a' });
  await call('GET /preferences');
  await call('GET /snapshots');
  expect(await call('GET /stream')).toContain('event: hello');
}

async function callContent(call: Call): Promise<void> {
  const space = 'space_local';
  const { pages, visibility } = await call('GET /content', { space });
  expect([visibility, pages]).toEqual([
    'public',
    [expect.objectContaining({ title: 'Start', path: '', file: 'README.md', depth: 0 })],
  ]);
  const page = { space, page: pages[0]?.id ?? '' };
  const { hash, ends, link, source } = await call('GET /content/page', page);
  expect([link, source]).toEqual(['http://127.0.0.1:43000/#key=k', `${basename(folder)}/README.md`]);
  const inserted = await call('POST /content/block', {
    ...page,
    hash,
    at: ends[0] ?? 0,
    component: 'counter',
    props: { start: 1 },
  });
  const { start } = inserted;
  const edited = await call('PATCH /content/block', {
    ...page,
    hash: inserted.page.hash,
    start,
    props: { start: 2 },
  });
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(
    '# Start\n\n{% @sample/counter start=2 %}\n\ntext\n',
  );
  await call('DELETE /content/block', { ...page, hash: edited.hash, start });
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('# Start\n\ntext\n');
  const { text } = await call('GET /content/text', { space, hash });
  expect(text).toBe('# Start\n\ntext\n');
  await call('PUT /content/page', { ...page, hash, text });
  const made = await call('POST /content/page', { space, path: 'new', title: 'New' });
  const moved = await call('POST /content/page/move', { space, page: made.id, path: 'guides/new' });
  expect(moved).toMatchObject({ id: made.id, path: 'guides/new' });
  await call('DELETE /content/page', { space, page: made.id, hash: moved.hash });
  await call('GET /content/file', { space, path: 'dot.png' });
  const revisions = await call('GET /content/revisions', { space });
  expect(revisions.map(({ changes }) => changes.map(({ type }) => type))).toEqual([
    ['page_deleted'],
    ['page_moved'],
    ['page_created'],
    ['page_edited'],
    ['page_edited'],
    ['page_edited'],
    ['page_created', 'file_created'],
  ]);
  await call('POST /content/visibility', { space, visibility: 'private' });
  await call('POST /content/sync', { space });
}

async function callWebhooks(call: Call, { emulator }: Sample): Promise<void> {
  const made = await call('POST /webhooks', {
    space: 'space_local',
    url: 'http://127.0.0.1:4200/',
    events: ['space_content_updated'],
  });
  const endpoint = { endpoint: made.id };
  await call('GET /webhooks');
  await call('GET /webhooks/{endpoint}', endpoint);
  await call('PATCH /webhooks/{endpoint}', { ...endpoint, enabled: true });
  await call('POST /webhooks/{endpoint}/rotate', endpoint);
  await call('POST /webhooks/{endpoint}/ping', endpoint);
  await call('POST /events', { type: 'space_content_updated' });
  await emulator.webhooks.use((dispatcher) => dispatcher.idle());
  const [fired] = await call('GET /calls', { type: 'space_content_updated' });
  await call('GET /calls/{call}/outbound/{number}', { call: fired?.id ?? '', number: 0 });
  const [newest] = await call('GET /deliveries', { limit: 1, failed: false });
  const delivery = { delivery: newest?.id ?? '' };
  await call('GET /deliveries/failures', { limit: 5 });
  expect(await call('GET /deliveries/{delivery}', delivery)).toMatchObject({ attempts: [{ number: 1 }] });
  expect(await call('GET /deliveries/{delivery}/signed-request', delivery)).toMatchObject({
    body: expect.stringContaining('"eventId"'),
  });
  await call('POST /deliveries/{delivery}/skip-wait', delivery);
  await call('POST /deliveries/{delivery}/resend', delivery);
  await call('DELETE /webhooks/{endpoint}', endpoint);
}
