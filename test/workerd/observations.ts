/** Something that a script can see or do: `code` is the body of an async function that returns what it saw. */
export interface Observation {
  what: string;
  code: string;
  /** Runs while the module loads, and returns nothing: whether it throws is what is seen. */
  atLoad?: true;
  /** The design names the difference: these exist in Node, and are not portable. */
  notPortable?: true;
}

export interface Group {
  title: string;
  observations: Observation[];
}

const wasm = 'new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])';
const key = `await crypto.subtle.importKey('raw', new TextEncoder().encode('secret'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])`;
const hex = `const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');`;
const load = (what: string, code: string): Observation => ({ what, code, atLoad: true });

export const groups: Group[] = [
  {
    title: 'Globals',
    observations: [
      { what: '`self === globalThis`', code: 'return self === globalThis' },
      { what: '`navigator.userAgent`', code: 'return navigator.userAgent' },
      { what: '`typeof window`', code: 'return typeof window' },
      { what: '`typeof document`', code: 'return typeof document' },
      { what: '`typeof importScripts`', code: 'return typeof importScripts' },
      { what: '`typeof __dirname`', code: 'return typeof __dirname' },
      { what: '`typeof process`', code: 'return typeof process', notPortable: true },
      { what: '`typeof Buffer`', code: 'return typeof Buffer', notPortable: true },
      { what: '`typeof global`', code: 'return typeof global', notPortable: true },
      { what: '`typeof setImmediate`', code: 'return typeof setImmediate', notPortable: true },
      { what: '`typeof URLPattern`', code: 'return typeof URLPattern' },
    ],
  },
  {
    title: 'Blocked during a call',
    observations: [
      { what: '`eval`', code: `return (0, eval)('1')` },
      { what: '`new Function`', code: `return new Function('return 1')()` },
      {
        what: 'the constructor of an async function',
        code: `return (async () => {}).constructor('return 1')()`,
      },
      { what: '`WebAssembly.compile`', code: `return WebAssembly.compile(${wasm})` },
      { what: '`new WebAssembly.Module`', code: `return new WebAssembly.Module(${wasm})` },
      { what: '`WebAssembly.instantiate`', code: `return WebAssembly.instantiate(${wasm})` },
      { what: '`import("node:fs")`', code: `return typeof (await import('node:fs')).readFileSync` },
      {
        what: '`import(name)`',
        code: `const name = ['node', 'fs'].join(':'); return typeof (await import(name)).readFileSync`,
      },
      { what: '`require("fs")`', code: `return typeof require('fs').readFileSync` },
    ],
  },
  {
    title: 'While the module loads',
    observations: [
      load('`setTimeout`', 'setTimeout(() => {}, 1)'),
      load('`setInterval`', 'setInterval(() => {}, 1)'),
      load('`fetch`', `await fetch('http://127.0.0.1:9/')`),
      load('`AbortSignal.timeout`', 'AbortSignal.timeout(1)'),
      load('`crypto.getRandomValues`', 'crypto.getRandomValues(new Uint8Array(1))'),
      load('`crypto.randomUUID`', 'crypto.randomUUID()'),
      load('`eval`', `(0, eval)('1')`),
      load('`new Function`', `new Function('return 1')`),
      load('a top-level `await`', 'await Promise.resolve()'),
      load('`new Response` with a string', `new Response('')`),
      load(
        '`new URL`, `new Headers`, `new Request`, `new Response(null)`',
        `new URL('https://a.test/'); new Headers(); new Request('https://a.test'); new Response(null)`,
      ),
      load(
        '`Math.random`, `structuredClone`, `crypto.subtle.digest`',
        `Math.random(); structuredClone({}); await crypto.subtle.digest('SHA-256', new Uint8Array(1))`,
      ),
      { what: 'the current time: `Date.now() > 0`', code: 'return timeAtLoad > 0' },
    ],
  },
  {
    title: 'Language and text',
    observations: [
      {
        what: 'private fields, static blocks, `at`, `findLast`, `Object.hasOwn`',
        code: `class A { static #n = 1; static { A.#n += 1; } static get() { return A.#n; } } return [A.get(), [1, 2].at(-1), [1, 2].findLast((n) => n < 2), Object.hasOwn({ a: 1 }, 'a')]`,
      },
      { what: '`Error` with a cause', code: `return new Error('a', { cause: 'b' }).cause` },
      {
        what: '`Promise.any` and `AggregateError`',
        code: `return Promise.any([Promise.reject(1)]).catch((error) => error.constructor.name)`,
      },
      {
        what: '`structuredClone` of a `Map` with a `Date`',
        code: `return structuredClone(new Map([['a', new Date(0)]])).get('a').toISOString()`,
      },
      { what: '`new URL` with a base', code: `return new URL('../b?x=1#y', 'https://a.test/c/d/').href` },
      { what: '`URL.canParse`', code: `return [URL.canParse('https://a.test'), URL.canParse('no')]` },
      {
        what: '`URLSearchParams`',
        code: `const all = new URLSearchParams('b=1&a=2 3'); all.sort(); return String(all)`,
      },
      { what: '`TextEncoder`', code: `return [...new TextEncoder().encode('€')]` },
      {
        what: '`TextDecoder` with `fatal`',
        code: `return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))`,
      },
      {
        what: '`TextDecoder` for windows-1252',
        code: `return new TextDecoder('windows-1252').decode(new Uint8Array([128]))`,
      },
      { what: '`atob` and `btoa`', code: `return [btoa('hello'), atob('aGk=')]` },
      { what: '`atob` of invalid base64', code: `return atob('*')` },
      {
        what: '`Intl.DateTimeFormat` with a time zone',
        code: `return new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', dateStyle: 'short', timeStyle: 'short' }).format(0)`,
      },
      {
        what: '`Intl.NumberFormat` in German',
        code: `return new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }).format(1234.5)`,
      },
      { what: 'the time zone', code: `return new Date(0).getTimezoneOffset()` },
    ],
  },
  {
    title: 'Cryptography',
    observations: [
      {
        what: 'SHA-256',
        code: `${hex} return hex(await crypto.subtle.digest('SHA-256', new Uint8Array([1])))`,
      },
      {
        what: 'HMAC',
        code: `${hex} return hex(await crypto.subtle.sign('HMAC', ${key}, new Uint8Array([1])))`,
      },
      {
        what: 'HMAC with a wrong signature',
        code: `return crypto.subtle.verify('HMAC', ${key}, new Uint8Array(32), new Uint8Array([1]))`,
      },
      {
        what: 'AES-GCM, encrypted and decrypted',
        code: `const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']); const how = { name: 'AES-GCM', iv: new Uint8Array(12) }; return [...new Uint8Array(await crypto.subtle.decrypt(how, key, await crypto.subtle.encrypt(how, key, new Uint8Array([7]))))]`,
      },
      {
        what: 'ECDSA, signed and verified',
        code: `const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']); const how = { name: 'ECDSA', hash: 'SHA-256' }; const data = new Uint8Array([1]); return crypto.subtle.verify(how, publicKey, await crypto.subtle.sign(how, privateKey, data), data)`,
      },
      {
        what: 'PBKDF2',
        code: `${hex} const key = await crypto.subtle.importKey('raw', new Uint8Array([1]), 'PBKDF2', false, ['deriveBits']); return hex(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(8), iterations: 1000 }, key, 128))`,
      },
      { what: '`crypto.randomUUID`', code: `return /^[0-9a-f-]{36}$/.test(crypto.randomUUID())` },
      {
        what: 'more random bytes than allowed',
        code: `return crypto.getRandomValues(new Uint8Array(70000)).length`,
      },
    ],
  },
  {
    title: 'Requests, responses and streams',
    observations: [
      {
        what: '`new Request` with method `post`',
        code: `return new Request('https://a.test', { method: 'post' }).method`,
      },
      {
        what: 'a GET request with a body',
        code: `return new Request('https://a.test', { body: 'a' }).method`,
      },
      { what: 'an invalid header name', code: `return new Headers({ 'a b': '1' }).get('a b')` },
      { what: 'the order of headers', code: `return [...new Headers([['b', '1'], ['A', '2'], ['b', '3']])]` },
      {
        what: '`getSetCookie`',
        code: `return new Headers([['set-cookie', 'a=1'], ['set-cookie', 'b=2']]).getSetCookie()`,
      },
      {
        what: '`Response.json`',
        code: `const one = Response.json({ a: 1 }); return [one.headers.get('content-type'), await one.text()]`,
      },
      {
        what: '`Response.redirect`',
        code: `const one = Response.redirect('https://a.test/b', 303); return [one.status, one.headers.get('location')]`,
      },
      { what: 'a response with status 700', code: `return new Response('', { status: 700 }).status` },
      {
        what: 'a body that is read twice',
        code: `const one = new Response('a'); await one.text(); return one.text()`,
      },
      {
        what: '`clone`',
        code: `const one = new Response('a'); return [await one.clone().text(), await one.text()]`,
      },
      {
        what: '`FormData`, written and read',
        code: `const form = new FormData(); form.set('a', '1'); form.set('f', new File(['x'], 'f.txt', { type: 'text/plain' })); const back = await new Response(form).formData(); return [back.get('a'), back.get('f').name, await back.get('f').text()]`,
      },
      {
        what: '`Blob`',
        code: `const blob = new Blob(['hello'], { type: 'text/plain' }); return [blob.size, blob.type, await blob.slice(1, 3).text()]`,
      },
      {
        what: 'a stream through `TransformStream`',
        code: `const upper = new TransformStream({ transform(piece, controller) { controller.enqueue(piece.toUpperCase()); } }); const { readable, writable } = upper; const writer = writable.getWriter(); void writer.write('a'); void writer.close(); const all = []; for await (const piece of readable) all.push(piece); return all`,
      },
      {
        what: '`CompressionStream`, then `DecompressionStream`',
        code: `const packed = new Response('hello').body.pipeThrough(new CompressionStream('gzip')); return new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text()`,
      },
      {
        what: '`tee`',
        code: `const [a, b] = new Response('x').body.tee(); return [await new Response(a).text(), await new Response(b).text()]`,
      },
      {
        what: '`AbortController`',
        code: `const end = new AbortController(); end.abort(); return end.signal.reason.name`,
      },
      { what: '`AbortSignal.any`', code: `return AbortSignal.any([AbortSignal.abort('why')]).reason` },
      {
        what: '`AbortSignal.timeout`',
        code: `const signal = AbortSignal.timeout(5); await new Promise((resolve) => signal.addEventListener('abort', resolve)); return signal.reason.name`,
      },
      {
        what: '`EventTarget`',
        code: `const target = new EventTarget(); let seen; target.addEventListener('a', (event) => (seen = event.type)); target.dispatchEvent(new Event('a')); return seen`,
      },
    ],
  },
  {
    title: 'Outbound requests',
    observations: [
      {
        what: 'a response with status, header and text',
        code: `const one = await fetch(origin + '/text'); return [one.status, one.ok, one.headers.get('x-a'), await one.text()]`,
      },
      {
        what: 'a POST with JSON',
        code: `return (await fetch(origin + '/echo', { method: 'POST', body: JSON.stringify({ a: '€' }), headers: { 'content-type': 'application/json' } })).text()`,
      },
      {
        what: 'a POST with a stream',
        code: `return (await fetch(origin + '/echo', { method: 'POST', body: new Response('streamed').body, duplex: 'half' })).text()`,
      },
      {
        what: 'a redirect',
        code: `const one = await fetch(origin + '/redirect'); return [one.redirected, new URL(one.url).pathname, await one.text()]`,
      },
      {
        what: 'a redirect with `redirect: "manual"`',
        code: `const one = await fetch(origin + '/redirect', { redirect: 'manual' }); return [one.status, one.headers.get('location')]`,
      },
      { what: 'a compressed response', code: `return (await fetch(origin + '/gzip')).text()` },
      {
        what: 'an aborted request',
        code: `const end = new AbortController(); setTimeout(() => end.abort(), 5); return fetch(origin + '/slow', { signal: end.signal }).then(() => 'done', (error) => error.name)`,
      },
      {
        what: 'the error of a broken connection',
        code: `return fetch(origin + '/reset').then(() => 'done', (error) => error.name + ': ' + error.message)`,
      },
    ],
  },
  {
    title: 'Time and timers',
    observations: [
      {
        what: 'the order of timers',
        code: `const seen = []; await new Promise((resolve) => { setTimeout(() => { seen.push(2); resolve(); }, 10); const gone = setTimeout(() => seen.push('never'), 5); clearTimeout(gone); setTimeout(() => seen.push(1), 1); }); return seen`,
      },
      {
        what: '`setInterval`, stopped',
        code: `let n = 0; await new Promise((resolve) => { const timer = setInterval(() => { n += 1; if (n === 3) { clearInterval(timer); resolve(); } }, 1); }); return n`,
      },
      {
        what: '`queueMicrotask` before a timer',
        code: `const seen = []; await new Promise((resolve) => { setTimeout(() => { seen.push('timer'); resolve(); }, 0); queueMicrotask(() => seen.push('microtask')); }); return seen`,
      },
      {
        what: 'the clock advances while waiting',
        code: `const before = Date.now(); await new Promise((resolve) => setTimeout(resolve, 20)); return Date.now() - before >= 15`,
      },
      {
        what: 'the clock advances while computing',
        code: `const before = Date.now(); let sum = 0; for (let n = 0; n < 3e7; n++) sum += n; return Date.now() > before`,
      },
      { what: 'a call that awaits a promise that never settles', code: `await new Promise(() => {})` },
      { what: 'a thrown error', code: `throw new TypeError('broken')` },
    ],
  },
];
