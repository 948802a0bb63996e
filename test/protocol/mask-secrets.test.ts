import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createMask } from '../../src/protocol/mask-secrets.js';

const secret = 'pä55 w+rd/"x"';
const mask = createMask([secret]);
const escapeAll = (text: string): string =>
  text.replaceAll(/[^]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const hexPairs = Buffer.from(secret).toString('hex').match(/../g) ?? [];
const nested = (text: string): string =>
  new URLSearchParams({ to: `/?${new URLSearchParams({ text })}` })
    .toString()
    .slice('to=%2F%3Ftext%3D'.length);

test.each([
  ['in clear', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['URL-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
  ['form-encoded', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['in a URL object', new URL(`http://x/?${secret}`).search.slice(1)],
  ['base64', base64(secret)],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['hex', Buffer.from(secret).toString('hex')],
  ['upper hex', Buffer.from(secret).toString('hex').toUpperCase()],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON in ASCII', 'p\\u00e455 w+rd/\\"x\\"'],
  ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['JSON in ASCII in JSON', JSON.stringify('p\\u00e455 w+rd/\\"x\\"').slice(1, -1)],
  ['JSON of .NET', String.raw`p\u00E455 w\u002Brd/\u0022x\u0022`],
  ['every character as \\uXXXX', escapeAll(secret)],
  ['every character as \\uXXXX in upper case', escapeAll(secret).toUpperCase().replaceAll('U', 'u')],
  ['every character as \\uXXXX in JSON', escapeAll(secret).replaceAll('\\', String.raw`\\`)],
  ['HTML of a text', 'pä55 w+rd/"x"'],
  ['HTML of an attribute', 'pä55 w+rd/&quot;x&quot;'],
  ['HTML with numbers', 'p&#228;55 w+rd/&#34;x&#34;'],
  ['HTML with numbers in hex', 'p&#xE4;55 w+rd/&quot;x&quot;'],
  ['hex with spaces', hexPairs.join(' ')],
  ['hex with colons', hexPairs.join(':')],
  ['upper hex with dashes', hexPairs.join('-').toUpperCase()],
  ['a list of bytes', JSON.stringify([...Buffer.from(secret)])],
  ['a parameter of a URL in a parameter', nested(secret)],
  ['URL-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['URL-encoded twice, inside in lower case', encodeURIComponent(encodeURIComponent(secret).toLowerCase())],
  ['an object that Node prints', inspect({ secret }).slice(11, -3)],
])('%s', (_, form) => {
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
  ['a buffer that is cut off', inspect(Buffer.from(`Bearer ${key}`)), key],
  ['bytes', inspect(new TextEncoder().encode(key)), key],
  ['bytes among others', inspect({ auth: [...Buffer.from(`Bearer ${key}\n`)] }), key],
  ['bytes that are cut off', inspect(Buffer.from('x'.repeat(60) + key).toJSON().data), key],
  ['memory', inspect(new TextEncoder().encode(key).buffer), key],
])('a secret that Node prints as %s', (_, printed, secret) => {
  const masked = createMask([secret])(printed);
  expect(masked).toContain('•••');
  // No part of it is left, such as `e-01` or its bytes.
  const bytes = Buffer.from('e-01');
  for (const part of ['live', '-01', bytes.join(', '), bytes.toString('hex').match(/../g)?.join(' ')])
    expect(masked.toLowerCase()).not.toContain(part);
});

test('bytes without secrets are unchanged', () => {
  const printed = inspect([new Uint8Array(300).fill(75), Buffer.alloc(300), { rows: [1, 2, 3, 4, 5, 6, 7] }]);
  expect(createMask([key])(printed)).toBe(printed);
});

test.each(['', 'u', 'us', 'user:', 'client-id:'])('inside longer base64, after %j', (before) => {
  const core = base64('SECRETVALUE');
  const whole = base64(`${before}SECRETVALUE;more`);
  const masked = createMask(['SECRETVALUE'])(whole);
  expect(masked).toContain('•••');
  expect(masked).not.toContain(core.slice(4, 12));
  // What is left around the mask gives away less than one character on each side.
  const [left = '', right = ''] = masked.split('•••');
  expect(Buffer.from(left, 'base64').toString()).not.toContain('SE');
  expect(right.length).toBeLessThanOrEqual(base64(';more').length + 2);
});

test('the longer of two secrets is masked first, and short ones are ignored', () => {
  expect(createMask(['abcd', 'abcdef', 'b', ''])('abcdef abcd b')).toBe('••• ••• b');
});

test('text without secrets is unchanged', () => {
  expect(mask('nothing to see')).toBe('nothing to see');
});

test.each([
  ['<a href="?x&y">it\'s</a>', '&lt;a href=&quot;?x&amp;y&quot;&gt;it&#39;s&lt;/a&gt;'],
  ['<a href="?x&y">it\'s</a>', `&lt;a href="?x&amp;y">it's&lt;/a>`],
  ['<a href="?x&y">it\'s</a>', '&lt;a href=&#34;?x&amp;y&#34;&gt;it&#x27;s&lt;/a&gt;'],
  ['<a href="?x&y">it\'s</a>', String.raw`\u003ca href=\"?x\u0026y\"\u003eit's\u003c/a\u003e`],
])('%s written as %s', (markup, written) => {
  expect(createMask([markup])(`(${written})`)).toBe('(•••)');
});

test('a secret with several lines is found line by line', () => {
  const key = '-----BEGIN KEY-----\r\nMIIBVg"IBADANB\n  second-line-of-it\n-----END KEY-----\n';
  const hide = createMask([key]);
  expect(hide(key)).toBe('•••');
  expect(hide('got second-line-of-it')).toBe('got •••');
  expect(hide(key.replaceAll(/\r?\n/g, '\n'))).toBe('•••\n•••\n  •••\n•••\n');
  expect(hide(inspect({ key }))).not.toMatch(/MII|second|BEGIN/);
});

test('secrets whose escaped spellings start alike are all found', () => {
  const secrets = Array.from({ length: 200 }, (_, n) => `secret-${n}-${n * 7919}`);
  const hide = createMask(secrets);
  expect(secrets.map((text) => hide(`"${escapeAll(text)}"`)).filter((text) => text !== '"•••"')).toEqual([]);
});
