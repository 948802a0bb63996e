import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { basename } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { sandboxedHost } from '../../../src/publish/probe/sandboxed-host.js';
import { childProgram } from '../../support/child-program.js';
import { check, createProject, source, type Files } from '../project-under-check.js';

afterEach(() => void vi.unstubAllEnvs());

/** Runs the check like the command, with the script in its own process. */
async function checkScript(text: string, files: Files = {}) {
  await using fixture = await createProject({ ...files, 'src/index.tsx': text });
  const createHost = sandboxedHost({
    node: process.execPath,
    childFile: await childProgram(),
    version: '1.2.3',
    timers: systemClock,
    timeoutMs: 2_000,
  });
  const { checks, report } = await check(fixture, {}, createHost);
  return (id: string) => {
    const result = checks.find((one) => one.id === `publish/${id}`);
    const found = report.diagnostics
      .filter(({ code }) => code === `publish/${id}`)
      .map(({ message, file, range }) => `${basename(file)}:${range?.start.line} ${message}`);
    return { ...result, found };
  };
}

const drawing = (code: string): string => source.replace('return <block><text>Sunny</text></block>;', code);

test('passes a valid script in the sandbox, just as in the current process', async () => {
  const of = await checkScript(source);
  expect(['start', 'default-export', 'render', 'settings', 'endpoints'].map((id) => of(id).verdict)).toEqual([
    'pass',
    'pass',
    'pass',
    'pass',
    'pass',
  ]);
});

test('passes no environment variables to the script in the sandbox', async () => {
  vi.stubEnv('PLATFORM_CANARY', 'canary-5f2e');
  const seen = `const { env } = globalThis.process ?? { env: {} };
    throw new Error('It sees ' + (env.PLATFORM_CANARY ?? 'nothing') + ' of ' + Object.keys(env).length);`;
  const of = await checkScript(`${source}\n${seen}`);
  expect(of('start').found.join()).toContain('The script does not start: Error: It sees nothing of 0');
});

test('blocks outbound requests in the sandbox and lists the requested hosts', async () => {
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
  expect(of('render').help).toContain(`127.0.0.1:${port}`);
});

test.each([
  ['exits its process', 'process.exit(7);', /does not start: .*process\.exit is not a function/],
  ['never finishes loading', 'await new Promise(() => {});', /does not start: ./],
  ['throws something other than an error', "throw 'just text';", /does not start: 'just text'$/],
])('reports that a script %s, and continues with the other checks', async (_, code, message) => {
  const of = await checkScript(`${source}\n${code}`);
  expect(of('start')).toMatchObject({ verdict: 'fail' });
  expect(of('start').found.join()).toMatch(message);
  expect(of('name').verdict).toBe('pass');
});

test('reports a blocked API only once, under "Web APIs"', async () => {
  const later = await checkScript(drawing("await import('node:os'); return <block><text>x</text></block>;"));
  expect(['web-apis', 'start', 'render'].map((id) => later(id).verdict)).toEqual(['fail', 'pass', 'skipped']);
  const first = await checkScript(`import { hostname } from 'node:os';\nhostname();\n${source}`);
  expect(['web-apis', 'start', 'render'].map((id) => first(id).verdict)).toEqual([
    'fail',
    'skipped',
    'skipped',
  ]);
});

test('stops waiting for a component that never responds', async () => {
  const of = await checkScript(drawing('await new Promise(() => {}); return <block />;'));
  expect(of('render')).toMatchObject({ verdict: 'fail' });
});

test('stops waiting for a component with an infinite loop', async () => {
  const of = await checkScript(drawing('for (;;);'));
  expect(of('render')).toMatchObject({ verdict: 'fail' });
});

const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;

test.each([
  ['a small script', 'data'],
  ['a 1.5 MB script', 'x'.repeat(1_500_000)],
])('reports the line at which a script throws while it loads: %s', async (_, data) => {
  const text = `import { data } from './data';\n${source}\nif (data) throw new TypeError('No luck');`;
  const of = await checkScript(text, { 'src/data.ts': `export const data = ${JSON.stringify(data)};` });
  expect(of('start').found).toEqual([
    `index.tsx:${lineOf(text, 'if (data)')} The script does not start: TypeError: No luck`,
  ]);
});

test('reports the line of an error that a component or an endpoint logs', async () => {
  const text = drawing("throw new Error('No weather');").replace(
    "return Response.json(['Bern', 'Oslo']);",
    "throw new RangeError('No towns');",
  );
  const of = await checkScript(text);
  expect(of('render').found).toEqual([
    `index.tsx:${lineOf(text, 'No weather')} The component weather cannot be rendered with its defaults: Error: No weather`,
  ]);
  expect(of('endpoints').found).toEqual([
    `index.tsx:${lineOf(text, 'No towns')} /places responds with 500. RangeError: No towns`,
  ]);
});

test('stops reading an endless response to a setup event, and finishes the check', async () => {
  const endless = `${source}
    const { fetch: handle } = integration;
    integration.fetch = async (request, ...others) => {
      const text = request.method === 'POST' ? await request.clone().text() : '';
      return text.includes('"type":"installation_setup"')
        ? new Response(new ReadableStream({ pull: () => new Promise((resolve) => setTimeout(resolve, 600_000)) }))
        : handle(request, ...others);
    };`.replace('export default createIntegration', 'const integration = createIntegration');
  const of = await checkScript(`${endless}\nexport default integration;`);
  expect(of('start').verdict).toBe('pass');
});
