import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Happened } from '../../src/contract/routes/state.js';
import { devHere, type DevHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { serve } from '../support/serve.js';
import { manifestText } from '../support/manifest-text.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'platform-clock-'));

const source = `import { createIntegration } from 'integration-platform';
const day = { task: { type: 'digest' }, schedule: 86_400 };
export default createIntegration({
  async fetch(request, context) {
    const type = new URL(request.url).searchParams.get('type');
    await context.integration.queueTask(type ? { task: { type }, schedule: 0 } : day);
    return Response.json({ now: Date.now(), is: new Date() instanceof Date, iso: new Date().toISOString() });
  },
  async task({ type }, context) {
    console.log(type, Date.now());
    await context.integration.queueTask(type === 'digest' ? day : { task: { type }, schedule: 0 });
  },
});
`;
const manifest = manifestText({ name: 'digest', more: 'script: index.ts\n' });

let dev: DevHere;
let receiver: Awaited<ReturnType<typeof serve>>;
const signedAt: number[] = [];
const DAY = 86_400_000;

const cli = async (...argv: string[]): Promise<Record<string, unknown>> => {
  const { stdout, stderr } = await runCli([...argv, '--json'], { cwd: folder });
  const printed = JSON.parse(stdout || stderr) as Record<string, unknown>;
  expect(printed['error'], argv.join(' ')).toBeUndefined();
  return printed;
};
const endpoint = (): string => /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
const start = async (...argv: string[]): Promise<void> => {
  dev = devHere(folder, ['--port', '0', '--state', 'disk', ...argv]);
  await dev.prints(argv.includes('--fresh') ? / site_installation_setup / : /built in/);
};

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
  writeFileSync(join(folder, 'index.ts'), source);
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
});
beforeEach(async () => {
  signedAt.length = 0;
  receiver = await serve((request) => {
    const [, seconds] = /t=(\d+)/.exec(request.headers.get('x-platform-signature') ?? '') ?? [];
    signedAt.push(Number(seconds) * 1000);
    return new Response('down', { status: 500 });
  });
  await start('--fresh');
});
afterEach(async () => {
  await dev.stop();
  await receiver.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('lets a month pass with every task and retry at its time, which the script sees too', async () => {
  await fetch(endpoint());
  const before = (await cli('clock', 'show')) as { now: number; due: { at: number; title: string }[] };
  expect(before.due.map(({ title }) => title)).toContain('digest');
  await cli('webhook', 'add', '--url', receiver.url, '--event', 'site_view', '--site', 'site_local');
  await cli('trigger', 'site_view');
  // The tasks queue the next one a day after they ran: each a moment later.
  const { happened, ahead } = (await cli('clock', 'advance', '721h')) as {
    happened: Happened[];
    ahead: number;
  };
  expect(Math.round(ahead / DAY)).toBe(30);
  const digests = happened.filter(({ title }) => title === 'task digest');
  expect(digests).toHaveLength(30);
  for (const [index, { at }] of digests.entries())
    expect(Math.abs(at - before.now - (index + 1) * DAY)).toBeLessThan(60_000);
  expect(happened.map(({ at }) => at)).toEqual(happened.map(({ at }) => at).toSorted((a, b) => a - b));
  // Some requests may have been sent before time was moved.
  const requests = happened.filter(({ what }) => what === 'delivery');
  expect(requests).not.toHaveLength(0);
  expect(requests.every(({ failed }) => failed)).toBe(true);
  // Receivers compare signatures with the real time.
  expect(signedAt).toHaveLength(4);
  for (const time of signedAt) expect(Math.abs(time - Date.now())).toBeLessThan(120_000);

  const seen = (await (await fetch(endpoint())).json()) as { now: number; is: boolean; iso: string };
  expect(Math.abs(seen.now - Date.now() - ahead)).toBeLessThan(60_000);
  expect(seen).toMatchObject({
    is: true,
    iso: expect.stringContaining(new Date(seen.now).toISOString().slice(0, 10)),
  });
  const { items } = (await cli('logs', '--type', 'task', '--limit', '1')) as {
    items: { time: number; lines: { text: string }[] }[];
  };
  const [{ time, lines } = { time: NaN, lines: [] }] = items;
  expect(Number.isInteger(time)).toBe(true);
  expect(Math.abs(Number(lines[0]?.text.split(' ')[1]) - time)).toBeLessThan(1000);
});

test('keeps the moved clock after a restart, and in a saved state, until it is real again', async () => {
  await cli('clock', 'advance', '2d');
  await cli('state', 'save', 'later');
  await dev.stop();
  await start();
  expect(Math.round(Number((await cli('clock', 'show'))['ahead']) / DAY)).toBe(2);
  await fetch(endpoint());
  await cli('clock', 'real');
  expect(await cli('clock', 'show')).toMatchObject({ ahead: 0, due: [{ title: 'digest' }] });
  await cli('state', 'load', 'later');
  expect(Math.round(Number((await cli('clock', 'show'))['ahead']) / DAY)).toBe(2);
});

test('starts at a time, goes back, and stops if a task queues itself for the same instant', async () => {
  await dev.stop();
  await start('--clock', '2030-03-31T00:30+01:00');
  expect(new Date(Number((await cli('clock', 'show'))['now'])).toISOString()).toMatch(/^2030-03-30T23:3/);
  await cli('clock', 'set', '2029-12-24T08:00Z');
  expect(new Date(Number((await cli('clock', 'show'))['now'])).toISOString()).toMatch(/^2029-12-24T08:0/);
  const beyond = await runCli(['clock', 'advance', '999999999w'], { cwd: folder });
  expect([beyond.code, beyond.stderr]).toEqual([2, expect.stringContaining('the year 9999')]);
  await fetch(`${endpoint()}?type=again`);
  const stopped = await runCli(['clock', 'advance', '1h'], { cwd: folder });
  expect(stopped).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('100 calls at the same instant'),
  });
  for (const [command, value] of [
    ['set', '2030-01-01T10:00'],
    ['advance', '3 weeks'],
  ])
    expect(await runCli(['clock', command ?? '', value ?? ''], { cwd: folder })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error Invalid (?:time|duration): ".+\n {2}It must be a /),
    });
});
