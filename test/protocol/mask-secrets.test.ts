import { readdirSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createMask } from '../../src/protocol/mask-secrets.js';

const secret = 'pä55 w+rd/"x"';
const mask = createMask([secret]);
const escapeAll = (text: string): string =>
  text.replaceAll(/[^]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each(['aB3+xY%2F9zK%3D%3D', 'aB3+xY/9zK%3D%3D', 'aB3%2BxY/9zK%3D%3D', 'aB3+xY%2F9zK=='])(
  'masks a URL-encoded secret even if some of its characters are not encoded: %s',
  (text) => expect(createMask(['aB3+xY/9zK=='])(`<${text}>`)).toBe('<•••>'),
);

test('masks a form-encoded secret with plus signs for spaces', () => {
  expect(createMask(['one two three'])('q=one+two+three&x')).toBe('q=•••&x');
});

const hexPairs = Buffer.from(secret).toString('hex').match(/../g) ?? [];
const nested = (text: string): string =>
  new URLSearchParams({ to: `/?${new URLSearchParams({ text })}` })
    .toString()
    .slice('to=%2F%3Ftext%3D'.length);

test.each([
  ['plain text', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded in lowercase', encodeURIComponent(secret).toLowerCase()],
  ['form-encoded', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['in a URL object', new URL(`http://x/?${secret}`).search.slice(1)],
  ['base64', base64(secret)],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['hex', Buffer.from(secret).toString('hex')],
  ['uppercase hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON escaped to ASCII', 'p\\u00e455 w+rd/\\"x\\"'],
  ['JSON inside JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['JSON escaped to ASCII inside JSON', JSON.stringify('p\\u00e455 w+rd/\\"x\\"').slice(1, -1)],
  ['JSON as written by .NET', String.raw`p\u00E455 w\u002Brd/\u0022x\u0022`],
  ['every character as \\uXXXX', escapeAll(secret)],
  ['every character as uppercase \\uXXXX', escapeAll(secret).toUpperCase().replaceAll('U', 'u')],
  ['every character as \\uXXXX in JSON', escapeAll(secret).replaceAll('\\', String.raw`\\`)],
  ['HTML text', 'pä55 w+rd/"x"'],
  ['an HTML attribute', 'pä55 w+rd/&quot;x&quot;'],
  ['HTML with numeric references', 'p&#228;55 w+rd/&#34;x&#34;'],
  ['HTML with hexadecimal references', 'p&#xE4;55 w+rd/&quot;x&quot;'],
  ['hex with spaces', hexPairs.join(' ')],
  ['hex with colons', hexPairs.join(':')],
  ['uppercase hex with dashes', hexPairs.join('-').toUpperCase()],
  ['a list of bytes', JSON.stringify([...Buffer.from(secret)])],
  ['a URL parameter inside another parameter', nested(secret)],
  ['URL-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['URL-encoded twice, in lowercase inside', encodeURIComponent(encodeURIComponent(secret).toLowerCase())],
  ['bytes as an object printed by Node', inspect({ secret }).slice(11, -3)],
  ['bytes in JSON', JSON.stringify(Buffer.from(secret)).slice('{"type":"Buffer","data":'.length, -1)],
  ['numbered bytes in JSON', JSON.stringify(Object.assign({}, Buffer.from(secret))).slice(1, -1)],
  ['numbered in lines', JSON.stringify(Object.assign({}, Buffer.from(secret)), undefined, 2).slice(4, -2)],
  ['numbered bytes printed by Node', inspect(Object.assign({}, Buffer.from(secret))).slice(2, -2)],
  ['numbered in JSON', JSON.stringify(JSON.stringify(Object.assign({}, Buffer.from(secret)))).slice(2, -2)],
  ['every byte as %XX', hexPairs.map((pair) => `%${pair}`).join('')],
  ['every byte as %XX, mixed', hexPairs.map((pair, at) => `%${at % 3 ? pair.toUpperCase() : pair}`).join('')],
  ['every byte as %XX in a parameter', encodeURIComponent(hexPairs.map((pair) => `%${pair}`).join(''))],
  ['every byte as \\xXX', hexPairs.map((pair) => `\\x${pair}`).join('')],
  ['every byte as \\xXX in JSON', hexPairs.map((pair) => `\\\\x${pair.toUpperCase()}`).join('')],
  ['bytes printed by Python', String.raw`p\xc3\xa455 w+rd/"x"`],
  ['an ASCII string printed by Python', String.raw`p\xe455 w+rd/"x"`],
  [
    'character references',
    Array.from(secret)
      .map((one) => `&#${one.charCodeAt(0)};`)
      .join(''),
  ],
  [
    'hexadecimal character references',
    Array.from(secret)
      .map((one) => `&#x${one.charCodeAt(0).toString(16)};`)
      .join(''),
  ],
  ['named character references', 'p&auml;55 w+rd/&quot;x&quot;'],
  ['named references for all characters that have one', 'p&auml;55&#32;w&plus;rd&sol;&quot;x&quot;'],
  ['hex in groups of two bytes', hexPairs.join('').replaceAll(/.{4}(?!$)/g, '$& ')],
  ['bytes separated by spaces', hexPairs.map((pair) => Number.parseInt(pair, 16)).join(' ')],
  ['bytes in a C array', hexPairs.map((pair) => `0x${pair}`).join(', ')],
  ['uppercase', secret.toUpperCase()],
  ['JSON nested three times', JSON.stringify(JSON.stringify(JSON.stringify(secret))).slice(7, -7)],
  ['UTF-8 decoded as Latin-1', Buffer.from(secret).toString('latin1')],
  ['UTF-8 decoded as Latin-1 by a browser', new TextDecoder('latin1').decode(Buffer.from(secret))],
  ['UTF-8 decoded as Latin-1, in JSON', JSON.stringify(Buffer.from(secret).toString('latin1')).slice(1, -1)],
  ['Latin-1 decoded as UTF-8', Buffer.from(secret, 'latin1').toString()],
  ['Latin-1 in a URL', 'p%E455%20w%2Brd%2F%22x%22'],
  ['Latin-1 in base64', Buffer.from(secret, 'latin1').toString('base64')],
])('masks a secret that is written as %s', (_, form) => {
  const masked = mask(`before ${form} after`);
  expect(masked).toContain('•••');
  expect(masked).not.toContain('55');
  expect(masked.startsWith('before ')).toBe(true);
  expect(masked.endsWith(' after')).toBe(true);
});

const key = 'sk-Live-0123456789abcdefghijklmnopqrstuvwxyz-and-70-characters-in-all!';

test.each([
  ['a host', new URL(`http://${key.replaceAll(/[^\w-]/g, '')}.example/`).href, key.replace('!', '')],
  ['a header', [...new Headers({ [key]: 'x' }).keys()].join(','), key],
  ['a buffer', inspect(Buffer.from(key.slice(0, 40))), key.slice(0, 40)],
  ['a truncated buffer', inspect(Buffer.from(`Bearer ${key}`)), key],
  ['bytes', inspect(new TextEncoder().encode(key)), key],
  ['bytes among other bytes', inspect({ auth: [...Buffer.from(`Bearer ${key}\n`)] }), key],
  ['truncated bytes', inspect(Buffer.from('x'.repeat(60) + key).toJSON().data), key],
  ['an ArrayBuffer', inspect(new TextEncoder().encode(key).buffer), key],
])('masks a secret that Node prints as %s', (_, printed, secret) => {
  const masked = createMask([secret])(printed);
  expect(masked).toContain('•••');
  // No part of it remains, such as `e-01` or its bytes.
  const bytes = Buffer.from('e-01');
  for (const part of ['live', '-01', bytes.join(', '), bytes.toString('hex').match(/../g)?.join(' ')])
    expect(masked.toLowerCase()).not.toContain(part);
});

test('leaves printed bytes that contain no secret unchanged', () => {
  const printed = inspect([new Uint8Array(300).fill(75), Buffer.alloc(300), { rows: [1, 2, 3, 4, 5, 6, 7] }]);
  expect(createMask([key])(printed)).toBe(printed);
});

test.each(['', 'u', 'us', 'user:', 'client-id:'])('masks a secret in longer base64 after %j', (before) => {
  const core = base64('SECRETVALUE');
  const whole = base64(`${before}SECRETVALUE;more`);
  const masked = createMask(['SECRETVALUE'])(whole);
  expect(masked).toContain('•••');
  expect(masked).not.toContain(core.slice(4, 12));
  // The text around the mask reveals less than one character on each side.
  const [left = '', right = ''] = masked.split('•••');
  expect(Buffer.from(left, 'base64').toString()).not.toContain('SE');
  expect(right.length).toBeLessThanOrEqual(base64(';more').length + 2);
});

test('masks the longer of two overlapping secrets first, and ignores very short secrets', () => {
  expect(createMask(['abcd', 'abcdef', 'b', ''])('abcdef abcd b')).toBe('••• ••• b');
});

test('masks hostile text in linear time', () => {
  const hide = createMask([`${'a'.repeat(40)}b`, '8f1KQz', 'sk_live_0123456789']);
  const parts = [
    'a',
    '%61',
    '&#97;',
    '\\',
    String.raw`\u0061`,
    String.raw`\x61`,
    '"0":97,',
    '"0":97, ',
    '[\n97, ',
    '<61 ... ',
  ];
  const seconds = (text: string): number => {
    const { user } = process.cpuUsage();
    hide(text);
    return process.cpuUsage({ user, system: 0 }).user / 1e6;
  };
  for (const part of parts) {
    const [once, tenfold] = [3e4, 3e5].map((length) =>
      Math.min(...[1, 2].map(() => seconds(part.repeat(length / part.length)))),
    ) as [number, number];
    expect(tenfold, part).toBeLessThan(Math.max(0.25, once * 30));
  }
});

test('does not mask ordinary text', () => {
  const hide = createMask([
    secret,
    'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
    'true-north-42',
    '8f1KQz',
    'Zürich-7',
  ]);
  const folder = new URL('../../node_modules/typescript/lib/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|ts|json)$/.test(file),
  );
  const changed = files.filter((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return hide(text) !== text || hide(JSON.stringify(text)) !== JSON.stringify(text);
  });
  console.log(`masks: ${files.length} files of TypeScript, ${changed.length} changed`);
  expect(files.length).toBeGreaterThan(100);
  expect(changed).toEqual([]);
});

test('does not change text without secrets', () => {
  expect(mask('nothing to see')).toBe('nothing to see');
});

test.each([
  ['<a href="?x&y">it\'s</a>', '&lt;a href=&quot;?x&amp;y&quot;&gt;it&#39;s&lt;/a&gt;'],
  ['<a href="?x&y">it\'s</a>', `&lt;a href="?x&amp;y">it's&lt;/a>`],
  ['<a href="?x&y">it\'s</a>', '&lt;a href=&#34;?x&amp;y&#34;&gt;it&#x27;s&lt;/a&gt;'],
  ['<a href="?x&y">it\'s</a>', String.raw`\u003ca href=\"?x\u0026y\"\u003eit's\u003c/a\u003e`],
])('masks the secret %s when it is written as %s', (markup, written) => {
  expect(createMask([markup])(`(${written})`)).toBe('(•••)');
});

test('masks a multi-line secret line by line', () => {
  const key = '-----BEGIN KEY-----\r\nMIIBVg"IBADANB\n  second-line-of-it\n-----END KEY-----\n';
  const hide = createMask([key]);
  expect(hide(key)).toBe('•••');
  expect(hide('got second-line-of-it')).toBe('got •••');
  expect(hide(key.replaceAll(/\r?\n/g, '\n'))).toBe('•••\n•••\n  •••\n•••\n');
  expect(hide(inspect({ key }))).not.toMatch(/MII|second|BEGIN/);
});

test('masks every secret even if many escaped forms start with the same characters', () => {
  const secrets = Array.from({ length: 200 }, (_, n) => `secret-${n}-${n * 7919}`);
  const hide = createMask(secrets);
  expect(secrets.map((text) => hide(`"${escapeAll(text)}"`)).filter((text) => text !== '"•••"')).toEqual([]);
});
