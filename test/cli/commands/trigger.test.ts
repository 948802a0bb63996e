import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { project, script } from '../../support/session-script.js';

let session: OpenSession;
beforeEach(async () => {
  session = await openSession(script, { integration: project });
});
afterEach(() => session.close());

test('sends an event and prints the call that handled it', async () => {
  const { code, stdout } = await session.cli(['trigger', 'space_content_updated']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^space_content_updated {2}200 {2}call_\w+\n/);
  const warning =
    'The space_content_updated event needs the space:content:read scope, which the manifest does not request.';
  expect(stdout).toContain(`\n  warning ${warning}\n`);
  expect(session.events().at(-1)).toMatchObject({ type: 'space_content_updated', spaceId: 'space_local' });
});

test('waits for promises passed to waitUntil, and reports a rejected one as a problem', async () => {
  const argv = ['trigger', 'space_content_updated', '--set', 'revisionId=late'];
  const { code, stdout } = await session.cli(argv);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^space_content_updated {2}200/);
  expect(stdout).toContain('\n  error waitUntil failed: Error: No index.\n');
  const { json } = await session.cli([...argv, '--json']);
  expect(json['events']).toMatchObject([
    { fired: { outcome: 'ok' }, severity: 'error', reason: expect.stringContaining('waitUntil failed') },
  ]);
});

test('fails on warnings only with --strict', async () => {
  expect((await session.cli(['trigger', 'space_content_updated'])).code).toBe(0);
  expect((await session.cli(['trigger', 'space_content_updated', '--strict'])).code).toBe(1);
  expect((await session.cli(['render', 'misspelled'])).code).toBe(0);
  expect((await session.cli(['render', 'misspelled', '--strict'])).code).toBe(1);
});

test('reports the line of a broken build while an earlier version handles the call', async () => {
  const problem = {
    code: 'bundle/syntax',
    severity: 'error' as const,
    message: 'Unexpected "{"',
    file: 'src/index.ts',
    line: 3,
    column: 7,
  };
  await session.cli(['trigger', 'space_content_updated']);
  const { json } = await session.cli(['logs', '--json']);
  const call = (json['items'] as { id: string }[])[0]?.id ?? '';
  session.emulator.reportBuild({ ok: false, what: 'script', time: 0, problems: [problem] });
  for (const argv of [
    ['trigger', 'space_content_updated'],
    ['render', 'counter'],
    ['replay', call],
  ]) {
    const { code, stderr } = await session.cli(argv);
    expect(code).toBe(0);
    expect(stderr).toBe(
      'warning The last save does not build, so version 1 is still running. src/index.ts:3:7: Unexpected "{"\n',
    );
  }
});

test('--set adds fields to the event and overrides those in --file', async () => {
  writeFileSync(
    join(session.folder, 'event.json'),
    '{"url":"https://a.example/","referrer":"https://c.example/"}',
  );
  const set = ['--set', 'visitor.ip=10.0.0.2', '--set', 'referrer=https://b.example/'];
  const { code, json } = await session.cli([
    'trigger',
    'site_view',
    '--file',
    'event.json',
    '--json',
    ...set,
  ]);
  expect(code).toBe(0);
  expect(json).toMatchObject({
    version: 1,
    events: [
      {
        event: {
          url: 'https://a.example/',
          referrer: 'https://b.example/',
          visitor: { ip: '10.0.0.2', userAgent: expect.any(String) },
        },
        fired: { outcome: 'ok', status: 200 },
      },
    ],
  });
});

test.each([
  ['space_content_updated', 'revisionId=42', { revisionId: '42' }],
  ['page_feedback', 'pageId=1.50', { pageId: '1.50' }],
  ['site_view', 'visitor.cookies.seen=true', { visitor: { cookies: { seen: 'true' } } }],
  ['ui_render', 'props.count=42', { props: { count: 42 } }],
  ['space_content_updated', 'updatedBy.0.displayName=42', { updatedBy: [{ displayName: '42' }] }],
])("%s --set %s converts the value to the field's type", async (type, set, event) => {
  const { json } = await session.cli(['trigger', type, '--set', set, '--json']);
  expect(json).toMatchObject({ events: [{ event }] });
});

test('--count sends the event several times, each time with a new id', async () => {
  const { json } = await session.cli(['trigger', 'site_view', '--count', '3', '--json']);
  const { events } = json as { events: { event: { eventId: string } }[] };
  expect(new Set(events.map(({ event }) => event.eventId)).size).toBe(3);
});

test("--wait returns once the event's deliveries have finished", async () => {
  await session.close();
  const received: string[] = [];
  session = await openSession(script, {
    integration: project,
    async outside(request) {
      received.push(request.url);
      return new Response('', { status: received.length > 1 ? 400 : 200 });
    },
  });
  await session.emulator.webhooks.add({
    url: 'https://receiver.example/hook',
    events: ['space_content_updated'],
    installationId: 'installation_1',
    target: { type: 'space', id: 'space_local' },
  });
  const argv = ['trigger', 'space_content_updated', '--wait'];
  const delivered = await session.cli(argv);
  expect([delivered.code, delivered.stderr]).toEqual([0, expect.stringMatching(/delivered after 1 attempt/)]);
  const refused = await session.cli([...argv, '--json']);
  expect([refused.code, refused.json]).toMatchObject([1, { deliveries: [{ attempts: 1 }] }]);
  expect(received).toHaveLength(2);
});

test('reports a handler that fails, and the command that shows the details', async () => {
  const argv = ['trigger', 'space_content_updated', '--set', 'revisionId=broken'];
  const { code, stdout } = await session.cli(argv);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^space_content_updated {2}500 {2}call_\w+\n/);
  expect(stdout).toMatch(/\n {2}next: platform inspect call_\w+\n/);
  const { json } = await session.cli([...argv, '--json']);
  const { events } = json as { events: { fired: { call: string }; next: string }[] };
  expect(events.map(({ next }) => next)).toEqual(events.map(({ fired }) => `platform inspect ${fired.call}`));
});

test('does not treat an event without a handler as a failure', async () => {
  const { code, stdout } = await session.cli(['trigger', 'space_view']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^space_view {2}no handler {2}call_/)]);
});

test.each<[options: string, message: RegExp, hint: string]>([
  ['space_content_updatd', /Unknown event: space_content_updatd/, 'Did you mean space_content_updated?'],
  ['zzz', /Unknown event: zzz/, 'Choose one of installation_setup, '],
  ['site_view --set visitor.ipp=1', /no field visitor\.ipp/, 'Did you mean ip?'],
  ['space_content_updated --set updatedBy.0.emial=a', /emial/, 'mean email?'],
  ['space_content_updated --set updatedBy.2={}', /not an index of updatedBy/, ''],
  ['site_view --set visitor', /has no value/, 'Write it as name=value.'],
  ['site_view --site site_lokal', /not installed in the site/, 'Did you mean site_local?'],
  ['space_view --space x', /not installed in the space x/, 'Choose one of space_local.'],
  ['site_view --installation installation_2', /Unknown installation/, 'installation_1'],
  ['site_view --file no.json', /no\.json cannot be read/, 'Check its path.'],
  ['site_view --count two', /whole number/, '--help'],
  ['site_view --count 0', /at least 1/, '--help'],
])('explains how to correct trigger %s', async (options, message, hint) => {
  const argv = options.split(' ');
  const { code, stdout, stderr } = await session.cli(['trigger', ...argv]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
  expect(stderr).toContain(hint);
  const { code: again, json } = await session.cli(['trigger', ...argv, '--json']);
  expect([again, json]).toMatchObject([2, { version: 1, error: { hint: expect.any(String) } }]);
});

test('accepts a rating that readers cannot choose, and prints a note', async () => {
  const argv = ['trigger', 'page_feedback', '--set'];
  const { code, stderr } = await session.cli([...argv, 'feedback.rating=5']);
  expect(code).toBe(0);
  expect(stderr).toBe('feedback.rating is "5". Readers can choose only good, ok or bad.\n');
  expect((await session.cli([...argv, 'feedback.rating=ok'])).stderr).toBe('');
});

const listFields = 'List the fields and their values with: platform schema events';

test.each([
  ['site_view', 'visitor.ip=null', 'visitor.ip must be text, not null.', listFields],
  ['page_feedback', 'feedback=x', 'feedback must be an object, not "x".', listFields],
  ['page_feedback', 'eventId=', 'eventId must not be empty.', listFields],
  [
    'installation_setup',
    'status=weird',
    'status must be active, pending or paused, not "weird".',
    listFields,
  ],
  [
    'installation_setup',
    'status=activ',
    'status must be active, pending or paused, not "activ".',
    'Did you mean active?',
  ],
  ['site_view', 'visitor.ipp=1', 'site_view has no field visitor.ipp.', 'Did you mean ip?'],
])('rejects an event that does not match its schema: %s %s', async (type, set, message, hint) => {
  const { code, stderr } = await session.cli(['trigger', type, '--set', set]);
  expect([code, stderr]).toEqual([2, `error ${message}\n  ${hint}\n`]);
});

async function newest(): Promise<string> {
  const { json } = await session.cli(['logs', '--limit', '1', '--json']);
  return (json['items'] as { id: string }[])[0]?.id ?? '';
}

test('--from-call resends a recorded request with the changes made by --set', async () => {
  const { publicEndpoint } = session.emulator.primary();
  await fetch(`${publicEndpoint}/hello?a=1`, { method: 'POST', body: '{"n":1,"m":2}' });
  const set = ['--set', 'path=/again', '--set', 'headers.x-new=yes', '--set', 'body.n=7'];
  const { code, stdout } = await session.cli(['trigger', '--from-call', await newest(), ...set]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^POST \/again\?a=1 {2}200 {2}call_\w+\n$/)]);
  const { json } = await session.cli(['inspect', await newest(), '--json']);
  expect(JSON.stringify(json)).toContain('"x-new"');
  const call = /call_\w+/.exec(stdout)?.[0] ?? '';
  const body = session.store.callLog.body(call, 'request');
  expect(new TextDecoder().decode(body)).toBe('{"n":7,"m":2}');

  const failed = await session.cli(['trigger', '--from-call', call, '--set', 'path=/boom', '--json']);
  expect([failed.code, failed.json]).toMatchObject([1, { requests: [{ outcome: 'failed', status: 500 }] }]);
});

test('--from-call resends a recorded event with the changes made by --set', async () => {
  await session.cli(['trigger', 'space_content_updated']);
  const set = ['--set', 'revisionId=42'];
  const { code, json } = await session.cli(['trigger', '--from-call', await newest(), '--json', ...set]);
  expect([code, json]).toMatchObject([
    0,
    { events: [{ event: { revisionId: '42', spaceId: 'space_local' } }] },
  ]);
});

test.each<[argv: string[], text: string]>([
  [[], 'Pass an event or a recorded call.'],
  [['site_view', '--from-call', 'call_x'], 'Pass an event or a recorded call.'],
  [['--from-call', 'call_x', '--file', 'no.json'], '--file cannot be combined with --from-call.'],
  [['--from-call', 'call_x'], 'Unknown call: call_x'],
])('trigger %j fails and suggests the next step', async (argv, text) => {
  const { code, stderr } = await session.cli(['trigger', ...argv]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});

test('rejects an unknown field in a request, and reports all problems together', async () => {
  await fetch(`${session.emulator.primary().publicEndpoint}/hello`);
  const call = await newest();
  const unknown = await session.cli(['trigger', '--from-call', call, '--set', 'headrs.a=1']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('headers.<name>')]);
  const wrong = await session.cli(['trigger', '--from-call', call, '--set', 'body=x']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('GET request cannot have a body')]);
});

test("sends a fetch event to the integration's endpoint", async () => {
  const { json } = await session.cli(['trigger', 'fetch', '--json']);
  const url = `${session.emulator.primary().publicEndpoint}/`;
  expect(json).toMatchObject({ events: [{ event: { request: { url } } }] });
});
