import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSession, type OpenSession } from '../../support/open-session.js';
import { serve } from '../../support/serve.js';
import { project, revision, script } from '../../support/session-script.js';

let session: OpenSession;
let call: string;
beforeEach(async () => {
  revision.name = 'one';
  session = await openSession(script, { integration: project });
  const { publicEndpoint } = session.emulator.primary();
  await fetch(`${publicEndpoint}/hello?a=1`, {
    method: 'POST',
    body: 'a body',
    headers: { 'x-mine': 'yes' },
  });
  const { json } = await session.cli(['logs', '--type', 'fetch', '--json']);
  call = (json['items'] as { id: string }[])[0]?.id ?? '';
});
afterEach(() => session.close());

test("inspect shows a call's request, event, response and logs, and with --full also the environment", async () => {
  const { code, stdout } = await session.cli(['inspect', call, '--full']);
  expect(code).toBe(0);
  const order = [
    / POST \/hello\?a=1 +200 /,
    /^Request$/m,
    /^ {2}x-mine: yes$/m,
    /^ {2}a body$/m,
    /^Event$/m,
    /"type": "fetch"/,
    /^Response$/m,
    /^ {2}content-type: application\/json$/m,
    /"revision": "one"/,
    /^Logs$/m,
    /asked for hello/,
    /^Environment$/m,
    /"id": "installation_1"/,
  ].map((part) => stdout.search(part));
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order[0]).toBeGreaterThan(-1);
  expect((await session.cli(['inspect', call])).stdout).not.toContain('Environment');
});

test('inspect suggests a replay at the end only if the call failed', async () => {
  await fetch(`${session.emulator.primary().publicEndpoint}/boom`);
  const { json } = await session.cli(['logs', '--failed', '--json']);
  const [failed] = json['items'] as { id: string }[];
  const next = `platform replay ${failed?.id}`;
  const { stdout } = await session.cli(['inspect', failed?.id ?? '']);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`next: ${next}`);
  expect((await session.cli(['inspect', failed?.id ?? '', '--json'])).json).toMatchObject({ next });
  expect((await session.cli(['inspect', call])).stdout).not.toContain('next:');
});

test('inspect --json prints one document that includes the request and response bodies', async () => {
  const { json } = await session.cli(['inspect', call, '--json']);
  expect(json).toMatchObject({
    version: 1,
    call: { id: call, event: { type: 'fetch' }, environment: { apiTokens: { integration: '•••' } } },
    requestBody: { encoding: 'utf-8', content: 'a body' },
    responseBody: { encoding: 'utf-8', content: '{"revision":"one","got":"a body"}' },
  });
});

test('a replay matches the original call unless the code has changed, and shows any differences', async () => {
  const same = await session.cli(['replay', call]);
  expect([same.code, same.stdout]).toEqual([
    0,
    expect.stringMatching(/^Same response as before, from version 1 \(call_\w+\)\.\n$/),
  ]);

  revision.name = 'two';
  const other = await session.cli(['replay', call]);
  expect(other.code).toBe(0);
  expect(other.stdout).toMatch(/^-.*"revision": "one"/m);
  expect(other.stdout).toMatch(/^\+.*"revision": "two"/m);
  expect(other.stdout).not.toMatch(/^[-+].*"got"/m);

  const { json } = await session.cli(['replay', call, '--json']);
  expect(json).toMatchObject({
    version: 1,
    same: false,
    masked: false,
    before: { status: 200, body: { content: '{"revision":"one","got":"a body"}' } },
    after: { status: 200, body: { content: '{"revision":"two","got":"a body"}' } },
  });
});

test('a replay shows the error thrown by the current code and its position', async () => {
  revision.name = 'broken';
  const { code, stdout } = await session.cli(['replay', call]);
  expect(stdout).toMatch(/\n {2}next: platform inspect call_\w+\n$/);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^\+.*500/m);
  expect(stdout).toContain('  Error: This code is broken.');
  const { json } = await session.cli(['replay', call, '--json']);
  expect(json).toMatchObject({ after: { status: 500 }, failure: { message: 'Error: This code is broken.' } });
});

test('inspect shows outbound requests in full, background work and related calls', async () => {
  const receiver = await serve(async () => new Response('thanks', { headers: { 'x-reply': 'yes' } }));
  const { publicEndpoint } = session.emulator.primary();
  await fetch(`${publicEndpoint}/tell?to=${receiver.url}`);
  await receiver.close();
  const { json: list } = await session.cli(['logs', '--type', 'fetch', '--json']);
  const id = (list['items'] as { id: string }[]).at(-1)?.id ?? '';
  await session.cli(['replay', id]);
  const { stdout } = await session.cli(['inspect', id]);
  expect(stdout).toMatch(/^Outbound requests\n {2}POST http:\S+ {2}200 {2}\d+ ms$/m);
  expect(stdout).toMatch(/^ {6}authorization: Bearer •••$/m);
  expect(stdout).toMatch(/^ {6}news$/m);
  expect(stdout).toMatch(/^ {6}x-reply: yes$/m);
  expect(stdout).toMatch(/^ {6}thanks$/m);
  expect(stdout).toMatch(/^Background work\n {2}\+\d+ ms {2}\d+ ms {2}rejected: No index\.$/m);
  expect(stdout).toMatch(/^Related\n {2}\d\d:\d\d:\d\d {2}replayed as call_\w+$/m);
  const { json } = await session.cli(['inspect', id, '--json']);
  expect(json).toMatchObject({
    call: {
      outbound: [{ request: { body: { content: 'news' } }, response: { body: { content: 'thanks' } } }],
    },
  });
});

test('a replay lists the values that it sent instead of the secrets', async () => {
  const { publicEndpoint } = session.emulator.primary();
  const token = session.emulator.environment({})?.apiTokens.integration;
  await fetch(`${publicEndpoint}/secret`, { headers: { authorization: `Bearer ${token}` } });
  const { json } = await session.cli(['logs', '--type', 'fetch', '--json']);
  const { id = '' } = (json['items'] as { id: string }[]).at(-1) ?? {};
  expect((await session.cli(['replay', id])).stderr).toBe(
    'Secrets in the recorded request are masked, so they were sent as •••.\n',
  );
});

test.each([
  ['inspect', "Missing required argument 'id'"],
  ['replay', 'No recording was named'],
])('%s with an unknown id shows how to find valid ids', async (verb, message) => {
  const { code, stdout, stderr } = await session.cli([verb, 'call_0']);
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    'error Unknown call: call_0.\n  List the calls with: platform logs\n',
  ]);
  expect((await session.cli([verb, 'call_0', '--json'])).json).toMatchObject({
    version: 1,
    error: { code: 'unknown-call' },
  });
  const { code: missing, stderr: usage } = await session.cli([verb]);
  expect([missing, usage]).toEqual([2, expect.stringContaining(message)]);
});

test('does not replay a call while its installation is paused', async () => {
  await session.cli(['pause']);
  const { code, stderr } = await session.cli(['replay', call]);
  expect([code, stderr]).toEqual([
    2,
    'error Installation installation_1 is paused.\n  Resume it first: platform resume\n',
  ]);
  await session.cli(['resume']);
  expect((await session.cli(['replay', call])).code).toBe(0);
});

test('a replay explains what to do if the installation no longer exists', async () => {
  await session.cli(['uninstall']);
  const { code, stderr } = await session.cli(['replay', call]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('platform install')]);
});
