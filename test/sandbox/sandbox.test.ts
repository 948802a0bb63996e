import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment, event, script } from './sample-call.js';
import { nodeRuntime } from '../../src/sandbox/index.js';
import { childProgram } from '../support/child-program.js';
import { startSandbox } from './start-sandbox.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('passes the envelope to the script and returns its response', async () => {
  const { sandbox } = await startSandbox();
  await sandbox.load(
    script(`return new Response(JSON.stringify({
      method: request.method,
      path: new URL(request.url).pathname,
      headers: [...request.headers.keys()].sort(),
      event: JSON.parse(form.get('event')),
      secrets: JSON.parse(form.get('environment')).secrets,
      body,
    }), { status: 418, headers: [['x-a', '1'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']] });`),
  );
  const response = await sandbox.call({ id: 'c1', event, environment, body: new TextEncoder().encode('hi') });
  expect(response.status).toBe(418);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('x-a')).toBe('1');
  // Those of the connection to the child are not the script's.
  expect([...response.headers.keys()].sort()).toEqual([
    'content-length',
    'content-type',
    'set-cookie',
    'set-cookie',
    'x-a',
  ]);
  expect(await response.json()).toEqual({
    method: 'POST',
    path: '/v1',
    headers: ['content-length', 'content-type', 'host'],
    event,
    secrets: { KEY: 'canary-secret' },
    body: 'hi',
  });
});

test('forwards a raw request unchanged and assigns it to its call', async () => {
  const { sandbox, logged } = await startSandbox();
  await sandbox.load({
    code: `export default { fetch: async (request) => {
      console.log('here');
      const { method, url, headers } = request;
      return Response.json([method, url, headers.get('x-mine'), headers.get('connection'), await request.text()]);
    } };`,
  });
  const request = new Request('http://127.0.0.1:4100/v2?a=1', {
    method: 'PUT',
    headers: { 'x-mine': 'yes', connection: 'close' },
    body: 'whatever',
  });
  expect(await (await sandbox.raw('c1', request)).json()).toEqual([
    'PUT',
    'http://127.0.0.1:4100/v2?a=1',
    'yes',
    null,
    'whatever',
  ]);
  expect(await logged('here')).toMatchObject({ callId: 'c1' });
  expect(await (await sandbox.raw('c2', new Request('http://127.0.0.1:4100/v1'))).json()).toEqual([
    'GET',
    'http://127.0.0.1:4100/v1',
    null,
    null,
    '',
  ]);
});

test('reports why a script failed to load, and keeps serving the previous script', async () => {
  const { sandbox, send } = await startSandbox();
  await sandbox.load(script(`return new Response('one')`));
  await expect(sandbox.load({ code: 'throw new TypeError("no luck");' })).rejects.toThrow(
    'TypeError: no luck',
  );
  await expect(sandbox.load({ code: 'export default {};' })).rejects.toThrow(
    'The script has no default export with a `fetch` method',
  );
  await expect(
    sandbox.load({ code: `import process from 'node:process'; process.exit(7);` }),
  ).rejects.toThrow('exit code 7');
  expect(await send('')).toEqual({ status: 200, text: 'one' });
});

test('responds with 502 before any script is loaded', async () => {
  const { send } = await startSandbox();
  expect(await send('')).toEqual({ status: 502, text: '{"error":"No script has been loaded yet."}' });
});

test("lets only the owner read the sandbox's folder", async () => {
  const { folder } = await startSandbox();
  const [own = ''] = readdirSync(folder);
  expect(statSync(join(folder, own)).mode & 0o777).toBe(0o700);
});

test('keeps the order of lines that a process prints before the first script is loaded', async () => {
  const folder = temporaryFolder();
  const childFile = join(folder, 'child.mjs');
  writeFileSync(
    childFile,
    `console.log('first'); console.log('second'); await import(${JSON.stringify(await childProgram())});`,
  );
  const { sandbox, logs, logged } = await startSandbox({
    runtime: nodeRuntime({ childFile, node: process.execPath, version: '1' }),
  });
  await sandbox.load({ code: `console.log('third'); export default { fetch: () => new Response('') };` });
  await logged('third');
  expect(logs.map(({ callId, level, text }) => [callId, level, text])).toEqual([
    [undefined, 'info', 'first'],
    [undefined, 'info', 'second'],
    [undefined, 'info', 'third'],
  ]);
});

test('reports a load error if the process cannot be started', async () => {
  const { sandbox, send } = await startSandbox({
    runtime: nodeRuntime({ childFile: '', node: '/nowhere/node', version: '1' }),
  });
  await expect(sandbox.load(script(''))).rejects.toThrow(
    "The script's process ended while loading: it could not be started (spawn /nowhere/node ENOENT).",
  );
  expect((await send('')).status).toBe(502);
});

test("explains that Yarn Plug'n'Play isn't supported", async () => {
  const childFile = '/nowhere/cache/integration-platform.zip/node_modules/integration-platform/main.js';
  const { sandbox } = await startSandbox({
    runtime: nodeRuntime({ childFile, node: process.execPath, version: '1' }),
  });
  await expect(sandbox.load(script(''))).rejects.toThrow(/exit code 1, because .*nodeLinker: node-modules/);
});
