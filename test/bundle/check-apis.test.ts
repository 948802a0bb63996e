import { expect, test } from 'vitest';
import { checkApis } from '../../src/bundle/check-apis.js';

/** Returns `code line:column what` for each finding. The range must cover the name. */
async function uses(text: string, file = '/project/src/index.tsx'): Promise<string[]> {
  const found = await checkApis([{ file, text }]);
  return found.map(({ code, range, message }) => {
    const { line = 0, column = 0 } = range?.start ?? {};
    const shown = text.split('\n')[line - 1]?.slice(column - 1, (range?.end.column ?? 0) - 1);
    expect(message).toContain(shown);
    return `${code.slice('bundle/'.length)} ${line}:${column} ${shown}`;
  });
}

test.each<[what: string, code: string, found: string[]]>([
  ['direct, indirect eval', 'eval("1");\n(0, eval)("2");', ['refused-api 1:1 eval', 'refused-api 2:5 eval']],
  ['the Function constructor', 'new Function("a");', ['refused-api 1:5 Function']],
  ['the Function constructor called without new', 'Function("return this")();', ['refused-api 1:1 Function']],
  ['WebAssembly compiled from bytes', 'await WebAssembly.compile(b);', ['refused-api 1:7 WebAssembly']],
  ['a new WebAssembly module', 'new WebAssembly.Module(b);', ['refused-api 1:5 WebAssembly']],
  ['a computed require', 'const a = require(name);', ['refused-api 1:11 require']],
  ['require used as a value', 'const r = require;', ['refused-api 1:11 require']],
  ['a computed import', 'export const a = await import(name);', ['refused-api 1:24 import']],
  ['an import of a template string', 'await import(`${name}/x`);', ['refused-api 1:7 import']],
  ["use of the module's folder", 'console.log("é", __dirname);', ['refused-api 1:18 __dirname']],
  ['use of an environment variable', 'const é = process.env.KEY;', ['non-portable-api 1:11 process']],
  ['a blocked API as a shorthand', 'export const all = { process };', ['non-portable-api 1:22 process']],
  ['use of Buffer', 'Buffer.from("a");', ['non-portable-api 1:1 Buffer']],
  ['a blocked API read from the global object', 'global.cache = 1;', ['non-portable-api 1:1 global']],
  ['use of setImmediate', 'setImmediate(() => {});', ['non-portable-api 1:1 setImmediate']],
  ['process in markup', 'export const a = <text>{process.pid}</text>;', ['non-portable-api 1:25 process']],
  [
    'two blocked APIs on one line',
    'f(process.argv, Buffer.alloc(1));',
    ['non-portable-api 1:3 process', 'non-portable-api 1:17 Buffer'],
  ],
])('reports the blocked API in %s', async (_, code, found) => expect(await uses(code)).toEqual(found));

test.each([
  ['a typeof guard', 'if (typeof process === "undefined" || typeof (Buffer) === "object") f();'],
  ['an expression that the build replaces', 'export const isLive = process.env.NODE_ENV === "production";'],
  ['a parameter with the same name', 'function f(process: { pid: number }) { return process.pid; }'],
  ['an import with the same name', 'import { Buffer } from "buffer/";\nBuffer.from("a");'],
  ['a function with the same name', 'f();\nfunction setImmediate() {}\nsetImmediate();'],
  ['a property with the same name', 'export const a = { process: 1 }.process + request.global;'],
  ['a type with the same name', 'let a: Buffer; let p: NodeJS.Process;\ndeclare const process: { pid: 1 };'],
  ['comments and strings', '// process.env, eval()\nexport const a = "Buffer.from(eval)"; /* global */'],
  ['other uses of Function', 'a instanceof Function; Function.prototype.toString.call(a);'],
  ['WebAssembly errors', 'try {} catch (e) { e instanceof WebAssembly.RuntimeError; }'],
  ['imports that are bundled', 'await import("./a"); require("./b"); await import(`./${name}.js`);'],
  ['a source that cannot be parsed', 'process.env. = ;'],
])('does not report a blocked API in %s', async (_, code) => expect(await uses(code)).toEqual([]));

test('searches only source code for blocked APIs', async () => {
  expect(await uses('process.env', '/project/README.md')).toEqual([]);
  expect(await uses('process.env', '/project/widget.raw.js')).toEqual([]);
  expect(await uses('module.exports = process.env', '/project/a.cjs')).toHaveLength(1);
});
