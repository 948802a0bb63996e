import { createFixture } from 'fs-fixture';
import { expect, it } from 'vitest';
import { loadManifest, parseManifest } from '../../../src/manifest/index.js';
import { ticketLinks as good } from '../../support/manifest-text.js';

const bytes = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');
const utf16 = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

const places = ({ diagnostics }: ReturnType<typeof loadManifest>): string[] =>
  diagnostics.map(({ code, range }) => `${code} ${range?.start.line}:${range?.start.column}`);

it.each<[name: string, content: Buffer | string, found: string[]]>([
  ['a valid manifest', good, []],
  ['a valid manifest with CR LF', good.replaceAll('\n', '\r\n'), []],
  ['a valid manifest without a trailing newline', good.trimEnd(), []],
  ['a byte order mark', `\uFEFF${good}`, ['manifest/byte-order-mark 1:1']],
  ['mixed line endings', good.replace('links\n', 'links\r\n'), ['manifest/mixed-line-ends 2:1']],
  [
    'one LF among CR LF line endings',
    good.replaceAll('\n', '\r\n').replace('acme\r\n', 'acme\n'),
    ['manifest/mixed-line-ends 4:1'],
  ],
  ['Latin-1 text', bytes(good.replace('Turns', 'Turns \xE9')), ['manifest/encoding 3:20']],
  ['a truncated character', bytes(`${good}x-a: \xE2\x82`), ['manifest/encoding 7:6']],
  ['an overlong character', bytes(`x-a: \xC0\xAF\n${good}`), ['manifest/encoding 1:6']],
  ['half of a surrogate pair', bytes(`x-a: \xED\xA0\x80\n${good}`), ['manifest/encoding 1:6']],
  ['U+FFFD before an invalid byte', bytes(`x-a: \xEF\xBF\xBD \xFF\n${good}`), ['manifest/encoding 1:8']],
  ['a real replacement character', `x-a: \uFFFD\n${good}`, []],
  ['UTF-16 text', utf16(good), ['manifest/encoding 1:1']],
  ['a NUL character', `${good}x-a: a\0b`, ['manifest/control-character 7:7']],
  ['an escape character', `${good}x-a: \u001B[2J`, ['manifest/control-character 7:6']],
  ['a C1 control character', `${good}x-a: \u009B`, ['manifest/control-character 7:6']],
  ['an empty file', '', ['manifest/empty-document 1:1']],
  ['a file with only comments', '# nothing\n\n# here\n', ['manifest/empty-document 1:1']],
  ['only a byte order mark', '\uFEFF', ['manifest/empty-document 1:1', 'manifest/byte-order-mark 1:1']],
  ['a null document', '~\n', ['manifest/empty-document 1:1']],
  ['a document that is a single word', '\nhello\n', ['manifest/wrong-type 2:1']],
  ['a document that is a list', '- name: x\n', ['manifest/wrong-type 1:1']],
  ['one byte too much', `${good}#${'x'.repeat(256 * 1024 - good.length)}`, ['manifest/too-large 1:1']],
  ['a file of the maximum size', `${good}#${'x'.repeat(256 * 1024 - good.length - 1)}`, []],
])('reports the expected problems in %s', async (_, content, found) => {
  await using fixture = await createFixture({ 'platform-manifest.yaml': content });
  expect(places(loadManifest({ file: fixture.getPath('platform-manifest.yaml') }))).toEqual(found);
});

it('reports a path that is not a file', async () => {
  await using fixture = await createFixture({ 'platform-manifest.yaml/file': '' });
  const { diagnostics } = loadManifest({ file: fixture.getPath('platform-manifest.yaml') });
  expect(diagnostics).toMatchObject([{ code: 'manifest/unreadable', message: 'This is not a file.' }]);
});

it.each([
  ['are counted in UTF-16 code units', `# 🚀\n${good}x-🚀: 1\ny: 2`, '9:1-9:2'],
  ['are correct after surrogate pairs', `${good}externalLinks: [{ label: 🚀🚀, url: x }]`, '7:37-7:38'],
  ['exclude the byte order mark', `\uFEFFy: 2\n${good}`, '1:1-1:2'],
  ['are correct with CR LF', `${good}y: 2\n`.replaceAll('\n', '\r\n'), '7:1-7:2'],
  ['point to the key of an empty value', `${good}icon:\n`, '7:1-7:5'],
  ['point to the first line of a map', `${good}icon:\n  a: 1\n  b: 2\n`, '8:3-8:7'],
])('the positions of problems %s', (_, text, expected) => {
  const [found] = parseManifest(text).diagnostics.filter(({ severity }) => severity === 'error');
  const { start, end } = found?.range ?? { start: undefined, end: undefined };
  expect(`${start?.line}:${start?.column}-${end?.line}:${end?.column}`).toBe(expected);
});

it('resolves anchors and aliases', () => {
  const text = `${good}x-scopes: &read [space:content:read]\n`.replace('scopes: []', 'scopes: *read');
  expect(parseManifest(text).diagnostics.map(({ code }) => code)).toEqual(['manifest/syntax']);
  const inOrder = `x-scopes: &read [space:content:read]\n${good.replace('scopes: []', 'scopes: *read')}`;
  const loaded = parseManifest(inOrder);
  expect(loaded.ok && loaded.value.integration.scopes).toEqual(['space:content:read']);
});

it('reports a problem at the alias instead of its target', () => {
  const text = `x-a: &a 5\n${good.replace('title: Ticket links', 'title: *a')}`;
  expect(places(parseManifest(text))).toEqual(['manifest/wrong-type 3:8']);
});

it('reads quoted keys, folded strings and nested flow collections', () => {
  const loaded = parseManifest(
    `${good}"summary": >\n  one\n  two\n\n  three\n'externalLinks': [\n  { label: Docs, "url": 'https://example.com' },\n]\n`,
  );
  expect(loaded.ok && loaded.value.integration).toMatchObject({
    summary: 'one two\nthree\n',
    externalLinks: [{ label: 'Docs', url: 'https://example.com' }],
  });
});
