import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { sandboxedHost } from '../../../src/publish/index.js';
import type { CheckResult } from '../../../src/publish/check.js';
import { childProgram } from '../../support/child-program.js';
import { check, createProject, source } from '../project-under-check.js';

afterEach(() => void vi.unstubAllEnvs());

/** The check as the command makes it: the script runs in a process of its own. */
async function checkScript(text: string): Promise<(id: string) => CheckResult | undefined> {
  await using fixture = await createProject({ 'src/index.tsx': text });
  const createHost = sandboxedHost({
    node: process.execPath,
    childFile: await childProgram(),
    clock: systemClock,
    timeoutMs: 2_000,
  });
  const { checks } = await check(fixture, { createHost });
  return (id) => checks.find((one) => one.id === `publish/${id}`);
}

const drawing = (code: string): string => source.replace('return <block><text>Sunny</text></block>;', code);

test('a good script passes there as it does in this process', async () => {
  const of = await checkScript(source);
  expect(['start', 'default-export', 'render', 'settings', 'endpoints'].map((id) => of(id)?.verdict)).toEqual(
    ['pass', 'pass', 'pass', 'pass', 'pass'],
  );
});

test('it sees no variable of ours', async () => {
  vi.stubEnv('PLATFORM_CANARY', 'canary-5f2e');
  const seen = `const { env } = globalThis.process ?? { env: {} };
    throw new Error('It sees ' + (env.PLATFORM_CANARY ?? 'nothing') + ' of ' + Object.keys(env).length);`;
  const of = await checkScript(`${source}\n${seen}`);
  expect(of('start')?.evidence).toBe('It fails: Error: It sees nothing of 0');
});

test('it reaches no network: what it wanted is told, and a person has to look', async () => {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const of = await checkScript(
    drawing(`await fetch('http://127.0.0.1:${port}/secret'); return <block><text>x</text></block>;`),
  );
  server.close();
  expect(visits).toEqual([]);
  expect(of('render')).toMatchObject({ verdict: 'review' });
  expect(of('render')?.help).toContain(`127.0.0.1:${port}`);
});

test.each([
  ['ends its process', 'process.exit(7);', /^It fails: /],
  ['never ends to load', 'await new Promise(() => {});', /^It fails: |longer than a second/],
  ['throws no error', "throw 'just text';", /^It fails: 'just text'$/],
])('a script that %s fails, and the check goes on', async (_, code, evidence) => {
  const of = await checkScript(`${source}\n${code}`);
  expect(of('start')).toMatchObject({ verdict: 'fail' });
  expect(of('start')?.evidence).toMatch(evidence);
  expect(of('name')?.verdict).toBe('pass');
});

test('a component that never answers is given up', async () => {
  const of = await checkScript(drawing('await new Promise(() => {}); return <block />;'));
  expect(of('render')).toMatchObject({ verdict: 'fail' });
});

test('a component that spins is given up', async () => {
  const of = await checkScript(drawing('for (;;);'));
  expect(of('render')).toMatchObject({ verdict: 'fail' });
});
