import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openPort, openPorts, type PortChoice } from '../../src/dev/open-ports.js';
import { freePort } from '../support/free-port.js';

async function hostsOn(
  platform: string,
  env: Record<string, string> = {},
  named?: number,
): Promise<string[]> {
  const choice = (option: PortChoice['option'], port?: number): PortChoice => ({
    option,
    named: port,
    ownerOf: async () => undefined,
  });
  const ports = await openPorts(
    {
      port: choice('--port', await freePort()),
      consolePort: choice('--console-port', named),
      sitePort: choice('--site-port'),
      timers: systemClock,
      platform,
      env,
    },
    {},
  );
  onTestFinished(() => ports.close());
  return [ports.consoleOrigin, ports.siteOrigin].map((origin) => new URL(origin).hostname);
}

test('opens the console and the site on addresses of their own, which are new at each start', async () => {
  const hosts = [...(await hostsOn('linux')), ...(await hostsOn('win32'))];
  expect(new Set(['127.0.0.1', ...hosts]).size).toBe(5);
  for (const host of hosts) expect(host).toMatch(/^127\.\d+\.\d+\.\d+$/);
});

test.each([
  ['on macOS', 'darwin', {}],
  ['in WSL, where a browser on Windows reaches only 127.0.0.1', 'linux', { WSL_DISTRO_NAME: 'Debian' }],
])('opens them on 127.0.0.1 %s', async (_, platform, env) => {
  expect(await hostsOn(platform, env)).toEqual(['127.0.0.1', '127.0.0.1']);
});

test('opens a port that was set on 127.0.0.1', async () => {
  const [console_, site] = await hostsOn('linux', {}, await freePort());
  expect(console_).toBe('127.0.0.1');
  expect(site).not.toBe('127.0.0.1');
});

test('opens the port of the last session again, and otherwise the first free default port', async () => {
  const opened = async (lastPort?: number) => {
    const choice = (option: PortChoice['option']): PortChoice => ({
      option,
      named: undefined,
      ownerOf: async () => undefined,
    });
    const ports = await openPorts(
      {
        port: choice('--port'),
        consolePort: choice('--console-port'),
        sitePort: choice('--site-port'),
        timers: systemClock,
        platform: 'linux',
        env: {},
      },
      { lastPort },
    );
    onTestFinished(() => ports.close());
    return { port: Number(new URL(ports.origin).port), instead: ports.takenPort };
  };
  expect(await opened(4187)).toEqual({ port: 4187, instead: undefined });
  const next = await opened(4187);
  expect(next).toEqual({ port: expect.any(Number) as number, instead: 4187 });
  expect(next.port).toBeLessThan(4187);
  // A port that --port once named is not opened again.
  for (const other of [undefined, NaN, 5000]) expect((await opened(other)).port).toBeLessThan(4187);
});

test.each([
  ['skips a port that Windows reserves', undefined, 4100, 4101],
  ['reports a chosen port that Windows reserves', 4100, 4100, 'open port 4100. Choose another one.'],
  ['reports a port that needs permission', 80, 80, 'open port 80. Choose one above 1023, such as 4100.'],
])('%s', async (_, named, denied, expected) => {
  const choice = { option: '--port', named, settings: undefined, ownerOf: async () => undefined } as const;
  const opened = openPort({ ...choice, usual: { first: 4100, last: 4109 } }, async (port) => {
    if (port === denied) throw Object.assign(new Error('listen'), { code: 'EACCES' });
    return port;
  });
  const outcome = await opened.then(
    ({ listener }) => listener,
    ({ message, hint }: { message: string; hint: string }) => `${message} ${hint}`,
  );
  expect(outcome).toEqual(typeof expected === 'number' ? expected : expect.stringContaining(expected));
});
