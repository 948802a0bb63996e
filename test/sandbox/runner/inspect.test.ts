import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { freePort } from '../../support/free-port.js';
import { script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

const debuggers = async (port: number): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`);
  return ((await response.json()) as unknown[]).length;
};

test('a debugger finds the current script on the same port before and after a reload', async () => {
  const port = await freePort();
  const clock = createVirtualClock();
  const { sandbox, send } = await startSandbox({ inspect: port, timers: clock });
  await sandbox.load(
    script(`await new Promise((resolve) => setTimeout(resolve, 50)); return new Response('one')`),
  );
  await expect.poll(() => debuggers(port).catch(() => 0)).toBe(1);
  // Who stands at a breakpoint is not late.
  const begun = send('');
  await clock.advance(60_000);
  expect((await begun).text).toBe('one');
  await sandbox.load(script(`return new Response('two')`));
  expect((await send('')).text).toBe('two');
  await expect.poll(() => debuggers(port).catch(() => 0)).toBe(1);
});

test('logs debugger messages as info, and reports a port that is already in use', async () => {
  const port = await freePort();
  const first = await startSandbox({ inspect: port });
  await first.sandbox.load(script(`return new Response('one')`));
  expect(await first.logged(`Debugger listening on ws://127.0.0.1:${port}/`)).toMatchObject({
    level: 'info',
  });
  const second = await startSandbox({ inspect: port });
  await second.sandbox.load(script(`return new Response('two')`));
  expect(await second.logged('failed: address already in use')).toMatchObject({
    level: 'error',
    text: expect.stringMatching(/Choose another port with --inspect <port>\.$/) as string,
  });
  expect([...first.logs, ...second.logs].filter(({ text }) => text.startsWith('For help'))).toEqual([]);
});
