import { createFixture, type FileTree } from 'fs-fixture';
import { afterEach, expect, test } from 'vitest';
import { bundleOnce, type Bundle } from '../../src/bundle/index.js';
import { startSandbox, type Started } from './start-sandbox.js';

const fixtures: { rm(): Promise<void> }[] = [];
afterEach(async () => void (await Promise.all(fixtures.splice(0).map((fixture) => fixture.rm()))));

async function bundle(files: FileTree): Promise<Bundle> {
  const fixture = await createFixture(files);
  fixtures.push(fixture);
  const { path: folder } = fixture;
  const built = await bundleOnce({ entry: fixture.getPath('src/index.ts'), folder, sdk: { folder } });
  if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
  return built.value;
}

/** The project as `platform dev` runs it: bundled, in a process of its own. */
async function load(files: FileTree): Promise<Started> {
  const started = await startSandbox();
  await started.sandbox.load(await bundle(files));
  return started;
}

/** A project that responds with what these statements return; they begin on line 3. */
const responding = (statements: string, before = ''): FileTree => ({
  'src/index.ts': `${before}
export default { async fetch(request: Request) {
${statements}
} };`,
});

/** The message and the first line of the stack. */
function firstFrame(text: string): string {
  const [message = '', frame = ''] = text.split(/\n +at /);
  return `${message} | ${/src\/index\.ts:\d+/.exec(frame)?.[0] ?? frame}`;
}

const whyNot = (error: Error): string => firstFrame(error.message);

const refusedInCalls: [statement: string, message: string][] = [
  ['eval("1");', 'EvalError: `eval` is blocked'],
  ['(0, eval)("1");', 'EvalError: `eval` is blocked'],
  ['new Function("return 1");', 'EvalError: `new Function` is blocked'],
  ['Function("return 1")();', 'EvalError: `new Function` is blocked'],
  ['(() => {}).constructor("return 1")();', 'EvalError: `new Function` is blocked'],
  ['(async () => {}).constructor("1");', 'EvalError: `new AsyncFunction` is blocked'],
  ['(function* () {}).constructor("1");', 'EvalError: `new GeneratorFunction` is blocked'],
  ['(async function* () {}).constructor("1");', 'EvalError: `new AsyncGeneratorFunction` is blocked'],
  ['new (class extends Function {})("1");', 'EvalError: `new Function` is blocked'],
  ['new WebAssembly.Module(wasm);', 'CompileError: `WebAssembly.Module` is blocked'],
  ['await WebAssembly.compile(wasm);', 'CompileError: `WebAssembly.compile` is blocked'],
  ['await WebAssembly.instantiate(wasm);', 'CompileError: `WebAssembly.instantiate` is blocked'],
  ['await import("node:fs");', 'Error: `node:fs` is a Node module'],
  ['await import(["node", "fs"].join(":"));', 'Error: Dynamic require of "node:fs" is not supported'],
  ['require(["node", "fs"].join(":"));', 'Error: Dynamic require of "node:fs" is not supported'],
  ['return new Response(__dirname);', 'ReferenceError: __dirname is not defined'],
  ['process.exit(1);', 'TypeError: process.exit is not a function'],
];

test("throws an error at the author's line when a call uses a blocked API", async () => {
  const cases = refusedInCalls.map(([statement], index) => `case '${index}': { ${statement} break; }`);
  const { send, logs } = await load(
    responding(
      `const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const name = await (await request.formData()).get('fetch-body')?.text();
switch (name) {
${cases.join('\n')}
}`,
    ),
  );
  for (const [index, [, message]] of refusedInCalls.entries()) {
    const name = String(index);
    const { status } = await send(name, name);
    expect([refusedInCalls[index], status]).toEqual([refusedInCalls[index], 500]);
    await expect.poll(() => logs.length).toBe(index + 1);
    const { text = '' } = logs[index] ?? {};
    expect(text).toContain(message);
    expect(firstFrame(text)).toMatch(new RegExp(` \\| src/index\\.ts:${index + 6}$`));
  }
});

const refusedAtLoad: [name: string, statement: string][] = [
  ['setTimeout', 'setTimeout(() => {}, 1);'],
  ['setInterval', 'clearInterval(setInterval(() => {}, 1));'],
  ['setImmediate', 'setImmediate(() => {});'],
  ['AbortSignal.timeout', 'AbortSignal.timeout(1);'],
  ['crypto.getRandomValues', 'crypto.getRandomValues(new Uint8Array(1));'],
  ['crypto.randomUUID', 'crypto.randomUUID();'],
  ['new Response(body)', 'new Response("text");'],
  ['crypto.subtle.generateKey', 'await crypto.subtle.generateKey("Ed25519", true, ["sign"]);'],
  [
    'fetch',
    'await fetch("http://127.0.0.1:1").catch((error) => { if (error.message !== "fetch failed") throw error; });',
  ],
];

test('rejects timers, random values and fetch while a script loads, but allows them in calls', async () => {
  const { sandbox, send } = await load(responding(''));
  for (const [name, statement] of refusedAtLoad) {
    const error = await sandbox
      .load(await bundle(responding('', `\n\n${statement}`)))
      .then(() => 'loaded', whyNot);
    expect(error).toBe(
      `Error: \`${name}\` is blocked while the script loads, as in production. Call it in a function that handles an event. | src/index.ts:3`,
    );
  }
  const all = refusedAtLoad.map(([, statement]) => statement).join('\n');
  await sandbox.load(await bundle(responding(`${all}\nreturn new Response('fine');`)));
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
});

test('lets calls use API functions that a script stored while it loaded', async () => {
  const { send } = await load(
    responding(
      `await new Promise((resolve) => later(resolve, 1));
       await later(resolved => {}, 1);
       return new Response(String(random().length + (await ask().catch((error) => error.message))));`,
      `const later = setTimeout; const ask = () => kept('http://127.0.0.1:1'); const kept = globalThis.fetch;
       const random = crypto.randomUUID.bind(crypto);`,
    ),
  );
  expect((await send('')).text).toBe('36fetch failed');
});

test("fails at the author's line if a script imports a Node module", async () => {
  expect(
    await load({
      'src/index.ts': `const a = 1;\nimport { join } from 'node:path';\nexport default join(a);`,
    }).then(() => 'loaded', whyNot),
  ).toBe(
    'Error: `node:path` is a Node module, which production does not have. Use web APIs, or a package made for browsers or workers. | src/index.ts:2',
  );
});

test('provides the expected Node, worker and browser APIs', async () => {
  const { send } = await load(
    responding(`
      process.env.SET = 'yes';
      return Response.json({
        process: JSON.stringify(process), frozen: Object.isFrozen(process), set: process.env.SET,
        version: process.versions.node, other: process.env.HOME,
        self: self === globalThis, agent: navigator.userAgent,
        types: [typeof globalThis.require, typeof __dirname, typeof module, typeof window, typeof document, typeof Buffer, typeof global],
        functions: [(() => {}) instanceof Function, (() => {}).constructor === Function, Function.name],
        wasm: typeof WebAssembly.Instance,
        lazy: ['Headers', 'Request', 'Response', 'FormData'].filter((name) => !('value' in Object.getOwnPropertyDescriptor(globalThis, name))),
      });`),
  );
  expect(JSON.parse((await send('')).text)).toEqual({
    process: '{"env":{"SET":"yes"},"versions":{}}',
    frozen: true,
    set: 'yes',
    self: true,
    agent: 'Platform/1.2.3',
    types: ['undefined', 'undefined', 'undefined', 'undefined', 'undefined', 'function', 'object'],
    functions: [true, true, 'Function'],
    wasm: 'function',
    lazy: [],
  });
});

test('bundles static and dynamic imports, including top-level await', async () => {
  const { send } = await load({
    'src/index.ts': `export default { fetch: async () => new Response(String((await import('./later')).value)) };`,
    'src/later.ts': `import { two } from './two'; export const value = 40 + two;`,
    'src/two.ts': `export const two = await Promise.resolve(2);`,
  });
  expect((await send('')).text).toBe('42');
});

test('loads a package that checks for a blocked API before it uses the API', async () => {
  const { send } = await load({
    ...responding('return new Response(found);', `import { found } from 'guarded';`),
    'node_modules/guarded/index.js': `
      const tries = [() => Function('return this')(), () => require('fs'), () => eval('1'), () => new Function('')()];
      exports.found = tries.map((one) => { try { return typeof one(); } catch { return 'refused'; } }).join();`,
  });
  expect((await send('')).text).toBe('refused,refused,refused,refused');
});

test("leaves the script's Response unchanged if a package defines its own", async () => {
  const { send } = await load({
    ...responding(`return new Response('whole');`, `import 'ponyfill';`),
    'node_modules/ponyfill/index.js': `
      const self = Object.create(globalThis);
      for (const name of ['Headers', 'Request', 'Response', 'FormData']) self[name] = class {};`,
  });
  expect(await send('')).toEqual({ status: 200, text: 'whole' });
});

test('reports a Response of another class instead of dropping its body', async () => {
  const { send, logged } = await load(
    responding(`return new Response('whole');`, `globalThis.Response = class { status = 200; };`),
  );
  expect((await send('')).status).toBe(500);
  await logged("The script's `fetch` did not return a Response, but ");
});

test('responds without extra logs even if a script replaces setImmediate', async () => {
  const { send, logs } = await load(
    responding(
      "return new Response('fine');",
      "globalThis.setImmediate = () => { throw new Error('replaced'); };",
    ),
  );
  expect(await send('')).toEqual({ status: 200, text: 'fine' });
  expect(logs).toEqual([]);
});
