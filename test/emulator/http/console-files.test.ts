import { symlinkSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { afterAll, expect, it } from 'vitest';
import { createConsoleFiles } from '../../../src/emulator/http/console-files.js';
import { integration } from '../emulator-under-test.js';

const files = await createFixture({
  'console/index.html': '<p>console</p><script src="/console/app.js">',
  'console/app.js': 'let a;',
  'console/app.js.gz': 'gzipped',
  'console/app.js.br': 'brotli',
  'console/app.css': 'a{}',
  'project/icon.svg': '<svg/>',
  'project/one.png': 'png',
  'project/readme.md': 'no picture',
  'outside.png': 'secret',
});
symlinkSync(files.getPath('outside.png'), files.getPath('project/link.png'));
afterAll(() => files.rm());

const answer = createConsoleFiles({
  folder: files.getPath('console'),
  project: () => ({
    folder: files.getPath('project'),
    integration: {
      ...integration,
      icon: 'icon.svg',
      previewImages: ['one.png', 'link.png', '../outside.png', 'readme.md', 'gone.png'],
    },
  }),
});
const startIn = (html: string): string => /console[/](~[0-9a-f]{16})[/]app[.]js/.exec(html)?.[1] ?? 'none';
const get = (path: string, headers: Record<string, string> = {}): Promise<Response | undefined> =>
  answer(new Request(`http://127.0.0.1:4100${path}`, { headers }));

it.each(['/', '/console/', '/console/calls/call_1', '/console/%E0%A4%A'])(
  'serves the page at %s',
  async (path) => {
    const response = await get(path, { 'sec-fetch-dest': 'document' });
    expect(await response?.text()).toContain('<p>console</p>');
    expect(response?.headers.get('cache-control')).toBe('no-store');
  },
);

it('lets the console page run only its own scripts', async () => {
  const response = await get('/console/');
  const base = `http://127.0.0.1:4100/console/${startIn((await response?.clone().text()) ?? '')}`;
  expect(response?.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src ${base}/app.js ${base}/chunk.js ${base}/later.js; ` +
      `style-src ${base}/app.css; img-src 'self' data: http: https:; ` +
      "connect-src http://127.0.0.1:4100/console/api/; frame-src http: https:; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  expect(response?.headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

it('loads its scripts from URLs of this start, which no other program can have served', async () => {
  const script = await get(`/console/${startIn((await (await get('/'))?.text()) ?? '')}/app.js`);
  expect(await script?.text()).toBe('let a;');
});

it('sends a script once, then responds with 304 until the script changes', async () => {
  const first = await get('/console/app.js', { 'sec-fetch-dest': 'script' });
  expect(first?.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  const again = await get('/console/app.js', { 'if-none-match': first?.headers.get('etag') ?? '' });
  expect([again?.status, await again?.text()]).toEqual([304, '']);
});

it.each([
  ['/console/app.js', 'gzip, deflate, br, zstd', 'br', 'brotli'],
  ['/console/app.js', 'gzip, br;q=0', 'gzip', 'gzipped'],
  ['/console/app.js', 'GZIP;q=0.5', 'gzip', 'gzipped'],
  ['/console/app.js', 'deflate, brotli', null, 'let a;'],
  ['/console/app.js', '', null, 'let a;'],
  // The build did not compress it.
  ['/console/app.css', 'gzip, br', null, 'a{}'],
])('sends %s to a browser that accepts %j, encoded as %s', async (path, accepted, encoding, content) => {
  const response = await get(path, { 'accept-encoding': accepted });
  expect(response?.headers.get('content-encoding')).toBe(encoding);
  expect(response?.headers.get('vary')).toBe('Accept-Encoding');
  expect(await response?.text()).toBe(content);
  const plain = await get(path);
  expect(plain?.headers.get('etag') === response?.headers.get('etag')).toBe(encoding === null);
});

it.each([
  ['icon', 'image/svg+xml', '<svg/>'],
  ['previews/0', 'image/png', 'png'],
])('serves an image at %s', async (path, type, content) => {
  const response = await get(`/console/assets/${path}`);
  expect([response?.headers.get('content-type'), await response?.text()]).toEqual([type, content]);
  expect(response?.headers.get('content-security-policy')).toContain('sandbox');
  expect(response?.headers.get('cross-origin-resource-policy')).toBe('same-site');
});

it.each([
  ['a link to a file outside the folder', 'previews/1'],
  ['a path outside the folder', 'previews/2'],
  ['a file that is not an image', 'previews/3'],
  ['a missing file', 'previews/4'],
  ['a missing entry', 'previews/9'],
  ['an entry that is not a number', 'previews/__proto__'],
  ['a block without an image', 'blocks/nothing'],
])('returns no image for %s', async (_, path) => {
  expect(await get(`/console/assets/${path}`)).toBeUndefined();
});
