import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { nodeRuntime } from '../../../src/sandbox/index.js';
import { childProgram } from '../../support/child-program.js';
import { script } from '../sample-call.js';
import { startSandbox } from '../start-sandbox.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A script with a source map, as `src/index.ts`. */
const mapped = (source: { code: string }): { code: string; map: string } =>
  transformSync(source.code, { sourcemap: 'external', sourcefile: 'src/index.ts', format: 'esm' });

const source = script(
  `
  if (body === 'loop') for (;;);
  if (body === 'promises') for (;;) await 0;
  if (body === 'regex') /^(a+)+$/.test('a'.repeat(50) + 'b');
  if (body === 'second') { const end = Date.now() + 4000; while (Date.now() < end); }
  if (body === 'wait') await new Promise((resolve) => setTimeout(resolve, 20_000));
  return new Response('fine')`,
);
const looping = mapped(source);
const lineOf = (text: string): number => source.code.split('\n').findIndex((line) => line.includes(text)) + 1;

test.each([
  ['loop', 'for (;;);'],
  ['promises', 'await 0'],
  ['regex', '.test('],
])('shows the line and call of an infinite loop after a second (%s)', async (body, code) => {
  const { sandbox, send, logged } = await startSandbox({ timeoutMs: 8000 });
  await sandbox.load(looping);
  const innocent = send('wait', 'call_innocent');
  const { text } = await Promise.race([
    send(body, 'call_loop'),
    logged('Nothing else has run for a second, because this call keeps the script busy.'),
  ]);
  // A function that continues after `await` may be at its beginning.
  expect(text).toMatch(
    new RegExp(String.raw`\n\s+at .*src/index\.ts:(?:${lineOf(code)}|${lineOf('async fetch')}):\d+`),
  );
  expect(text).not.toContain('<anonymous>:1:');
  expect(sandbox.stop('call_loop')).toBe(true);
  const ended = JSON.parse((await innocent).text) as { error: string };
  expect(ended.error).toMatch(/^This call ended because of an infinite loop in call_loop\. Both ran/);
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(sandbox.stop('call_loop')).toBe(false);
});

test('reports the line of an infinite loop only for the call that contains it', async () => {
  const { sandbox, send, logs } = await startSandbox({ timeoutMs: 2500 });
  await sandbox.load(looping);
  const beside = send('wait', 'call_beside');
  const { status, text } = await send('loop', 'call_loop');
  expect(status).toBe(504);
  expect(text).toMatch(/within 2\.5 s\. Look for an infinite loop at src\/index\.ts:7:\d+\./);
  expect((await beside).text).toMatch(/loop in call_loop(?! at)/);
  expect(logs.filter(({ callId }) => callId === 'call_beside')).toEqual([]);
});

test('does not abort a call that blocks others for a second and then responds', async () => {
  const { sandbox, send, logged } = await startSandbox();
  await sandbox.load(looping);
  const pid = sandbox.pid();
  expect(await send('second', 'call_slow')).toEqual({ status: 200, text: 'fine' });
  expect(await logged('Nothing else has run')).toMatchObject({ level: 'error', callId: 'call_slow' });
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(sandbox.pid()).toBe(pid);
});

test.each([
  ['at once', 'fill'],
  ['after blocking for more than a second', 'slow fill'],
])('prints one sentence instead of a dump if a script runs out of memory %s', async (_, body) => {
  const folder = temporaryFolder();
  const node = join(folder, 'node');
  writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' --max-old-space-size=40 "$@"\n`);
  chmodSync(node, 0o755);
  const runtime = nodeRuntime({ childFile: await childProgram(), node, version: '1.2.3' });
  const { sandbox, send, logs, logged } = await startSandbox({ runtime });
  await sandbox.load(
    script(`
      if (!body.endsWith('fill')) return new Response('fine');
      const later = Date.now() + (body === 'fill' ? 0 : 1600);
      while (Date.now() < later);
      const kept = [];
      for (;;) kept.push(Array.from({ length: 1000 }, () => ({ kept })));`),
  );
  const { status, text } = await send(body, 'call_full');
  expect(status).toBe(502);
  expect(text).toMatch(/while it was handling this request: it ran out of memory with \d+ MB in its heap\./);
  await logged('ended unexpectedly: it ran out of memory with ');
  expect(logs.filter(({ text: line }) => /GCs|FATAL|stack trace|\b0x/.test(line))).toEqual([]);
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
});

test('logs the line of a handler that returns nothing', async () => {
  const { sandbox, send, logged } = await startSandbox();
  const silent = `const first = 1;\n\nexport default {\n  async fetch() {\n    console.log(first);\n  },\n};`;
  await sandbox.load(mapped({ code: silent }));
  expect((await send('')).status).toBe(500);
  const { text } = await logged('did not return a Response, but undefined');
  expect(text).toMatch(/\n {4}at fetch \(src\/index\.ts:4:\d+\)$/);
});

test('reports the memory of the process for each call, compared with the first one', async () => {
  const { sandbox, send, memory } = await startSandbox();
  await sandbox.load(
    script(
      `if (body === 'keep') kept.push(new Float64Array(2_500_000).fill(0.5));
      return new Response('fine')`,
      'const kept = [];',
    ),
  );
  for (const [id, body] of Object.entries({ call_1: '', call_2: 'keep', call_3: 'keep' }))
    await send(body, id);
  expect(memory.map(({ callId }) => callId)).toEqual(['call_1', 'call_2', 'call_3']);
  const [first, second, third] = memory;
  expect(first?.grown).toBeUndefined();
  expect(second?.grown).toBeGreaterThan(15e6);
  expect(third?.grown).toBeGreaterThan(35e6);
  expect((third?.bytes ?? 0) - (third?.grown ?? 0)).toBeLessThan(second?.bytes ?? 0);
});

test('reports memory that a script retains between calls, but not garbage', async () => {
  const { sandbox, send, logs, logged } = await startSandbox();
  await sandbox.load(
    script(
      `
      const large = new Float64Array(2_500_000).fill(0.5);
      if (body === 'keep') kept.push(large);
      return new Response('fine')`,
      'const kept = [];',
    ),
  );
  const growths = (): string[] => logs.map(({ text }) => text).filter((text) => text.includes('MB more'));
  for (let call = 0; call < 12; call += 1) await send('drop');
  expect(growths()).toEqual([]);
  for (let call = 0; call < 8; call += 1) await send('keep', `call_${call}`);
  const { level, callId, text } = await logged('MB more than after its first call');
  expect([level, callId]).toEqual(['error', expect.stringMatching(/^call_[2-6]$/)]);
  expect(text).toMatch(
    /^The script retains \d{2,3} MB more than after its first call, \d{2,3} MB in total\. Look for/,
  );
  expect(growths().length).toBeLessThanOrEqual(2);
});
