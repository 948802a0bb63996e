import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';

test("records each log line's level and call", async () => {
  const began = Date.now();
  const { sandbox, send, logs, logged } = await startSandbox();
  await sandbox.load(
    script(
      `
      console.log('for %s', body, { deep: new Map([['k', 1]]) });
      console.debug('d'); console.info('i'); console.warn('w'); console.error('e');
      await new Promise((resolve) => setTimeout(resolve, 10));
      console.group('group'); console.log('inside'); console.groupEnd();
      console.table([{ a: 1 }]);
      console.assert(false, 'not so');
      queueMicrotask(() => console.log('microtask of', body));
      setTimeout(() => console.log('timer of', body), 20);
      return new Response('')`,
      `console.log('while loading');`,
    ),
  );
  await Promise.all([send('a', 'call-a'), send('b', 'call-b')]);
  await logged('timer of a');
  await logged('timer of b');
  expect(logs[0]).toMatchObject({ callId: undefined, level: 'info', text: 'while loading' });
  const ofA = logs.filter(({ callId }) => callId === 'call-a');
  expect(ofA.map(({ level, text }) => [level, text])).toEqual([
    ['info', `for a { deep: Map(1) { 'k' => 1 } }`],
    ['debug', 'd'],
    ['info', 'i'],
    ['warn', 'w'],
    ['error', 'e'],
    ['info', 'group'],
    ['info', '  inside'],
    ['info', '┌─────────┬───┐\n│ (index) │ a │\n├─────────┼───┤\n│ 0       │ 1 │\n└─────────┴───┘'],
    ['warn', 'Assertion failed: not so'],
    ['info', 'microtask of a'],
    ['info', 'timer of a'],
  ]);
  expect(ofA[0]?.time).toBeGreaterThanOrEqual(began);
});

test('records output that bypasses the console without assigning it to a call', async () => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(
    script(
      `process.stdout.write('raw out\\n'); process.stderr.write('raw err\\n'); return new Response('')`,
      `import process from 'node:process';`,
    ),
  );
  await send('');
  expect(await logged('raw out')).toMatchObject({ callId: undefined, level: 'info', text: 'raw out' });
  expect(await logged('raw err')).toMatchObject({ callId: undefined, level: 'error', text: 'raw err' });
});

test('masks secrets in a long log message before truncating it', async () => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(
    script(`console.log('x'.repeat(16 * 1024 - 5) + 'canary-secret'); return new Response()`),
  );
  await send('');
  const { text } = await logged('xxx');
  expect(text.slice(16 * 1024 - 5)).toBe('•••');
});

test('never shows part of a truncated secret in a log message', async () => {
  const { sandbox, send, logs, logged } = await startSandbox();
  await sandbox.load(
    script(
      `console.log('full of ' + 'canary-secret'.repeat(6000));
      process.stdout.write('past the console ' + 'x'.repeat(1024 * 1024 - 23) + 'canary-secret, and more\\n');
      await fetch('http://127.0.0.1:1/?q=' + 'canary-secret'.repeat(6000)).catch(() => {});
      return new Response('')`,
      `import process from 'node:process';`,
    ),
  );
  await send('');
  await logged('past the console');
  await logged('more characters');
  expect(logs.map(({ text }) => text).join('\n')).not.toMatch(/canary|secret/);
  expect(logs.filter(({ text }) => text.includes('and more'))).toEqual([]);
});

test('drops and counts excess lines of one call without delaying other calls', async () => {
  const { sandbox, send, logs, logged } = await startSandbox();
  await sandbox.load(
    script(`
      if (body === 'flood') for (let i = 0; i < 50_000; i += 1) console.log('line', i);
      console.log('said by', body);
      return new Response('fine')`),
  );
  expect(await send('flood', 'flood')).toEqual({ status: 200, text: 'fine' });
  expect((await logged('dropped')).text).toBe('… 49,001 lines dropped: too much output in a short time');
  expect(logs.length).toBe(1001);
  await send('another', 'another');
  expect(await logged('said by another')).toMatchObject({ callId: 'another' });
});

test('limits how many log lines a script can forge for each call, even for unknown calls', async () => {
  const { sandbox, send, logs, logged } = await startSandbox();
  await sandbox.load(
    script(
      `
      const entry = { level: 'info', text: 'forged', time: 0 };
      const line = (callId) => JSON.stringify({ type: 'log', entry: { ...entry, callId } }) + '\\n';
      for (let i = 0; i < 20_000; i += 1) {
        for (const text of [line('c7'), line('other' + i)]) while (!tryWrite(text));
      }
      console.log('done');
      return new Response('')`,
      `import { writeSync } from 'node:fs';
      const tryWrite = (text) => { try { return writeSync(3, text) } catch { return 0 } };`,
    ),
  );
  await send('', 'c7');
  await logged('more lines dropped');
  expect(logs.filter(({ callId }) => callId === 'c7').length).toBe(2001);
  expect(logs.length).toBeLessThan(8000);
});

test('records only the first lines of a script that logs in an infinite loop', async () => {
  const clock = createVirtualClock();
  const { sandbox, send, logs, logged } = await startSandbox({ timers: clock });
  await sandbox.load(script(`for (let i = 0; ; i += 1) console.log('line', i, 'x'.repeat(1000))`));
  const flooding = send('');
  await logged('line 50 ');
  await clock.advance(30_000);
  await clock.advance(1000);
  expect((await flooding).status).toBe(504);
  expect(logs[0]?.text).toMatch(/^line 0 x+$/);
  expect(logs.length).toBeLessThan(1200);
});

test('limits how much output that bypasses the console is recorded', async () => {
  const { sandbox, send, logs } = await startSandbox();
  await sandbox.load(
    script(
      `for (let i = 0; i < 20_000; i += 1) process.stdout.write('line ' + i + '\\n'); return new Response('fine')`,
      `import process from 'node:process';`,
    ),
  );
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(logs.length).toBeLessThan(1500);
});

test('truncates a long log message', async () => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(script(`console.log('long ' + 'x'.repeat(20_000)); return new Response('')`));
  await send('');
  const { text } = await logged('long');
  expect(text.slice(16 * 1024)).toBe('… (3,621 more characters)');
});

test("shows an error with its causes and only the author's stack lines", async () => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(
    script(`
      const cause = Object.assign(new TypeError('inner'), { code: 'E_INNER' });
      throw new Error('outer', { cause });`),
  );
  expect(await send('')).toEqual({ status: 500, text: '{"error":"Internal server error"}' });
  const { text } = await logged('outer');
  expect(text.replaceAll(/file:.*?(script-)/g, '$1')).toMatch(
    /^Error: outer\n {4}at Object\.fetch \(script-\d+\.mjs:8:13\) \{\n {2}\[cause\]: TypeError: inner\n {6}at Object\.fetch \(script-\d+\.mjs:7:35\) \{\n {4}code: 'E_INNER'\n {2}\}\n\}$/,
  );
});

test('hides the developer’s environment variables from the script', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(script(`return Response.json(Object.keys(p.env))`, `import p from 'node:process';`));
  expect((await send('')).text).toBe('["PLATFORM_SCRIPT","TZ"]');
});

test("sets the script's time zone to UTC, whatever the machine's is", async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(
    script(
      `return Response.json([process.env.TZ, new Date(0).getHours(), Intl.DateTimeFormat().resolvedOptions().timeZone])`,
      `import process from 'node:process';`,
    ),
  );
  expect((await send('')).text).toBe('["UTC",0,"UTC"]');
});
