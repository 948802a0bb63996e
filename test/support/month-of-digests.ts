import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { Happened } from '../../src/contract/routes/state.js';
import { devHere } from './dev-here.js';
import { runCli } from './run-cli.js';
import { serve } from './serve.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Sends a digest to three receivers every day at 9:00 in Berlin, and every 5 hours again to those that are down. */
const sourceOf = (urls: readonly string[], provider: string): string => `
import { createIntegration, createRecurringTask, getOAuthToken } from 'integration-platform';
const receivers = ${JSON.stringify(urls)};
const config = { clientId: 'digest', clientSecret: 's', accessTokenURL: '${provider}' };
const queue = ({ environment, api }, task, seconds) =>
  api.integrations.queueIntegrationTask(environment.integration.name, { task, schedule: Math.min(86_400, seconds) });
const inBerlin = (time) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }).format(time);
const digest = createRecurringTask('digest', (now) => {
  const quarter = 900_000;
  let time = Math.floor(now / quarter + 1) * quarter;
  while (inBerlin(time) !== '09:00') time += quarter;
  return time;
});
async function send(context, to) {
  const { installation } = context.environment;
  const token = await getOAuthToken(installation.configuration.oauth_credentials, config, context);
  for (const index of to) {
    const body = JSON.stringify({ now: Date.now() });
    const response = await fetch(receivers[index], { method: 'POST', body, headers: { Authorization: token } });
    if (!response.ok) await queue(context, { type: 'again', payload: { index } }, 5 * 3600);
  }
}
export default createIntegration({
  async fetch(request, context) {
    const { environment: { integration, installation }, api } = context;
    const configuration = { oauth_credentials: { access_token: 'old', refresh_token: 'r', expires_at: 1 } };
    await api.integrations.updateIntegrationInstallation(integration.name, installation.id, { configuration });
    await Promise.all([digest.start(context), digest.start(context)]);
    return new Response('started');
  },
  async task(task, context) {
    if (task.type === 'again') return send(context, [task.payload.index]);
    if (await digest.isDue(task, context)) await send(context, [0, 1, 2]);
  },
});
`;

/** Lets a day and a month pass, in which summer time ends, and checks that everything happened at its time. */
export async function passMonthOfDigests(modules: string, argv: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-month-'));
  const start = Date.parse('2026-10-20T12:00+02:00');
  const received: { receiver: number; at: number; token: string }[] = [];
  let tokens = 0;
  const provider = await serve(() => Response.json({ access_token: `t${(tokens += 1)}`, expires_in: 3600 }));
  const receivers = await Promise.all(
    [0, 1, 2].map((receiver) =>
      serve(async (request) => {
        const { now: at } = (await request.json()) as { now: number };
        received.push({ receiver, at, token: request.headers.get('authorization') ?? '' });
        return new Response('', { status: receiver === 2 && at < start + 2 * DAY ? 503 : 200 });
      }),
    ),
  );
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
  if (modules) symlinkSync(join(modules, 'workerd'), join(folder, 'node_modules/workerd'), 'dir');
  writeFileSync(
    join(folder, 'index.ts'),
    sourceOf(
      receivers.map(({ url }) => url),
      provider.url,
    ),
  );
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    'name: digest\ntitle: Digest\ndescription: Sends a digest every day.\norganization: acme\nvisibility: private\nscopes: []\nscript: index.ts\n',
  );
  const dev = devHere(folder, ['--port', '0', '--clock', '2026-10-20T12:00+02:00', ...argv]);
  onTestFinished(async () => {
    await dev.stop();
    for (const server of [provider, ...receivers]) await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await dev.prints(/ site_installation_setup /);
  const advance = async (time: string): Promise<Happened[]> => {
    const { stdout } = await runCli(['clock', 'advance', time, '--json'], { cwd: folder });
    return (JSON.parse(stdout) as { happened: Happened[] }).happened;
  };
  const endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
  expect(await (await fetch(`${endpoint}/installations/installation_1`)).text()).toBe('started');

  const happened = [...(await advance('1d')), ...(await advance('30d'))];
  const nines = Array.from({ length: 31 }, (_, day) => {
    const isWinter = day >= 4;
    return Date.parse('2026-10-21T07:00Z') + day * DAY + (isWinter ? HOUR : 0);
  });
  const near = (times: readonly number[]): number[] =>
    times.map((time) => Math.round(time / 60_000) * 60_000);
  const of = (wanted: number) => received.filter(({ receiver }) => receiver === wanted);
  for (const receiver of [0, 1]) expect(near(of(receiver).map(({ at }) => at))).toEqual(nines);
  // It was down on the first two mornings.
  const [first = NaN, second = NaN] = nines;
  const again = [1, 2, 3, 4, 5, 6].map((times) => first + times * 5 * HOUR);
  const third = [...nines, ...again, second + 5 * HOUR].toSorted((a, b) => a - b);
  expect(near(of(2).map(({ at }) => at))).toEqual(third);
  // No token is used for more than an hour.
  for (const { token, at } of received) {
    const firstUse = received.find((other) => other.token === token)?.at ?? NaN;
    expect(at - firstUse).toBeLessThan(HOUR);
  }
  expect(tokens).toBe(new Set(near(received.map(({ at }) => at))).size);

  const { stdout } = await runCli(['logs', '--type', 'task', '--limit', '100', '--json'], { cwd: folder });
  const { items } = JSON.parse(stdout) as { items: { id: string; time: number; outcome: string }[] };
  expect(items.every(({ outcome }) => outcome === 'ok')).toBe(true);
  const logged = new Map(items.map(({ id, time }) => [id, time]));
  const calls = happened.filter(({ what }) => what === 'call');
  expect(near(calls.map(({ id }) => logged.get(id) ?? NaN))).toEqual(near(calls.map(({ at }) => at)));
}
