import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createFixture } from 'fs-fixture';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { openContent, type Content, type Revision } from '../../src/content/index.js';
import type { RenderRequest, RenderResult } from '../../src/contract/routes/components.js';
import type { OpenSite, Site, SiteMember, SiteOptions } from '../../src/site/site-options.js';

const folder = fileURLToPath(new URL('../../dist/site', import.meta.url));
const { openSite } = createRequire(import.meta.url)(`${folder}/index.cjs`) as { openSite: OpenSite };
const origin = 'http://127.0.0.1:4300';
const block = { id: 'note', title: 'Note', urlUnfurl: [], markdown: { codeblock: 'note', body: 'text' } };

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

interface Mounted {
  content: Content;
  site: Site;
  html(path: string): Promise<string>;
  rendered: RenderRequest[];
  revise(revision: Revision): void;
}

/** The built site on a real folder, with a script that shows its properties. */
async function mount(
  path: string,
  render: (request: RenderRequest) => Promise<RenderResult> = async ({ props = {} }) => ({
    type: 'element',
    element: { type: 'text', children: JSON.stringify(props) },
    props,
    state: {},
    call: 'c',
  }),
  timers: SiteOptions['timers'] = systemClock,
  scopes: readonly string[] = [],
): Promise<Mounted> {
  const ids = { read: () => ({}), write: () => {} };
  const content = openContent({ folder: path, spaceId: 'space_local', clock: systemClock, ids });
  await content.ready;
  const rendered: RenderRequest[] = [];
  let revise: Mounted['revise'] = () => {};
  const space = {
    id: 'space_local',
    title: 'Docs',
    path: '/',
    target: { installation: 'i', space: 'space_local' },
    site: { id: 'site_local', title: 'Local site' },
  };
  const readers: SiteMember['readers'] = {
    spaces: () => [space],
    urlOf: ({ path }, page) => `${origin}${path}${page}`,
    signInUrl: () => undefined,
    calls: 'http://127.0.0.1:4101/console/calls/',
    connect() {},
    connected: () => 0,
    async view() {},
    async rate() {},
  };
  const memberOf = (name: string): SiteMember => ({
    environment: () => ({ signingSecrets: { siteInstallation: 'secret' } }) as never,
    integration: () => ({ name, title: name, blocks: [block], scopes }) as never,
    readers: {
      ...readers,
      spaces: () => [{ ...space, target: { installation: name, space: 'space_local' } }],
    },
    render: (request) => (rendered.push(request), render(request)),
  });
  const site = openSite({
    folder,
    origin,
    key: 'key',
    timers,
    now: () => 0,
    platform: {
      members: () => [memberOf('hello'), memberOf('world')],
      readers,
      subscribe: () => () => {},
      content: () => ({ ...content, subscribe: (listener) => ((revise = listener), () => {}) }),
    },
  });
  open.push(site, content);
  return {
    content,
    site,
    rendered,
    revise: (revision) => revise(revision),
    html: async (at) => (await site.fetch(new Request(`${origin}${at}`))).text(),
  };
}

test('shows a folder of Markdown files with its navigation, links, tasks and blocks', async () => {
  await using files = await createFixture({
    'README.md':
      '# Welcome\n\nRead [the guide](guides/first.md#install) and [a hidden page](secret.md).\n\n- [x] done\n\n{% @hello/note a=1 %}\n\n{% @other/thing %}\n\n{% @world/note %}\n',
    'guides/first.md':
      '---\ntitle: First steps\n---\n\n# First steps\n\n## Install\n\n> ```note\n> in a fence\n> ```\n',
    'secret.md': '---\nhidden: true\n---\n\n# Hidden\n\n```mermaid\ngraph LR\n```\n',
  });
  const { html, rendered } = await mount(files.path);
  const start = await html('/');
  expect(start).toContain('<a href="/guides/first#h-install">the guide</a>');
  expect(start).toContain('{&quot;a&quot;:1}');
  expect(start).toContain('belongs to another integration.');
  expect(rendered.map(({ installation }) => installation)).toEqual(['hello', 'world']);
  expect(start).toMatch(/<input[^>]*checked[^>]*aria-label="Done"/);
  expect(start).not.toContain('Hidden');
  expect(start).toContain('<a href="/secret">a hidden page</a>');
  const guide = await html('/guides/first');
  expect(guide.match(/First steps<\/h\d>/g)).toEqual(['First steps</h1>']);
  expect(guide).toMatch(/aria-label="Folders">(?:(?!<svg).)*Guides(?:(?!<svg).)*<\/nav>/);
  expect(guide).toContain('data-block="note"');
  expect(rendered.at(-1)?.props).toEqual({ text: 'in a fence' });
  expect(await html('/secret')).toMatch(/<h1>Hidden<\/h1>.*Mermaid diagram/s);
});

test("explains that the integration's published script does not run on the site", async () => {
  await using files = await createFixture({ 'README.md': '# A\n' });
  const note = /does not run on this\s+site/;
  expect(await (await mount(files.path)).html('/')).not.toMatch(note);
  const { html } = await mount(files.path, undefined, undefined, ['site:script:inject']);
  expect(await html('/')).toMatch(note);
});

test('never interprets text in a page as HTML', async () => {
  await using files = await createFixture({
    'README.md':
      '# <img src=x onerror=alert(1)>\n\n<script>alert(2)</script>\n\n[a](javascript:alert(3)) ![b](data:text/html,x)\n\n{% @hello/note a="</script><script>alert(4)</script>" %}\n\n{% embed url="javascript:alert(5)" %}\n',
  });
  const { html } = await mount(files.path);
  const page = await html('/');
  expect(page.match(/<script[^>]*>/g)).toEqual([
    expect.stringMatching(/^<script type="module" blocking="render" src="[/]~[/]app[.]js[?]\w+">$/),
    '<script type="application/json">',
    '<script id="page-data" type="application/json">',
  ]);
  expect(page).not.toMatch(/<[^>]* on\w+=|href="javascript|href="data:text|src="data:text/);
});

test('sandboxes images that a page shows, serves other files that it links as downloads, and no others', async () => {
  await using files = await createFixture({
    'README.md': '# A\n\n![pic](pic.svg) [page](page.html) [secret](secret.zip) [note](note.txt)\n',
    'unlinked.txt': 'private',
    'note.txt': 'note',
    'secret.zip': 'private',
    '.gitignore': '*.zip\n',
    'pic.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'page.html': '<script>alert(1)</script>',
  });
  const { site: withoutGit } = await mount(files.path);
  const statusOf = async (path: string, from: Site): Promise<number> =>
    (await from.fetch(new Request(origin + path))).status;
  expect([await statusOf('/note.txt', withoutGit), await statusOf('/secret.zip', withoutGit)]).toEqual([
    404, 200,
  ]);
  execFileSync('git', ['init', '-q', files.path]);
  const { site, html } = await mount(files.path);
  expect(await html('/')).toContain(`<img src="${origin}/pic.svg"`);
  const picture = await site.fetch(new Request(`${origin}/pic.svg`));
  expect(picture.headers.get('content-type')).toBe('image/svg+xml');
  expect(picture.headers.get('content-security-policy')).toContain('sandbox');
  const other = await site.fetch(new Request(`${origin}/page.html`));
  expect(other.headers.get('content-type')).toBe('application/octet-stream');
  expect(other.headers.get('content-disposition')).toBe('attachment');
  expect([
    await statusOf('/note.txt', site),
    await statusOf('/unlinked.txt', site),
    await statusOf('/secret.zip', site),
  ]).toEqual([200, 404, 404]);
});

test('serves no file that Git ignores in a submodule or in a folder of another user, or while Git fails', async () => {
  await using files = await createFixture({
    'README.md':
      '# A\n\n[a](shown.pdf) [b](secret.pdf) [c](sub/shown.pdf) [d](sub/secret.pdf) [e](nested/a.pdf)\n',
    'shown.pdf': '',
    'secret.pdf': 'private',
    '.gitignore': 'secret.pdf\nnested/\n',
    sub: { 'shown.pdf': '', 'secret.pdf': 'private', '.gitignore': 'secret.pdf\n' },
    'nested/a.pdf': 'private',
  });
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], { cwd: files.path });
  for (const repository of ['sub', 'nested', '.']) git('init', '-q', repository);
  git('-C', 'sub', 'add', '.');
  git('-C', 'sub', 'commit', '-qm', 'sub');
  git('add', 'sub');
  const served = async (): Promise<string[]> => {
    const { site } = await mount(files.path);
    const paths = ['shown.pdf', 'secret.pdf', 'sub/shown.pdf', 'sub/secret.pdf', 'nested/a.pdf'];
    const responses = await Promise.all(paths.map((path) => site.fetch(new Request(`${origin}/${path}`))));
    return paths.filter((_, nth) => responses[nth]?.ok);
  };
  expect(await served()).toEqual(['shown.pdf', 'sub/shown.pdf']);
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1');
  expect(await served()).toEqual(['shown.pdf', 'sub/shown.pdf']);
  vi.unstubAllEnvs();
  await files.writeFile('.git/config', '[');
  expect(await served()).toEqual([]);
  const { site } = await mount(files.path);
  const failed = await site.fetch(new Request(`${origin}/shown.pdf`));
  expect(await failed.json()).toEqual({ error: expect.stringContaining('Git cannot tell') });
});

test('notices that .gitignore has changed', async () => {
  await using files = await createFixture({ 'README.md': '[a](plan.pdf)\n', 'plan.pdf': 'private' });
  execFileSync('git', ['init', '-q', files.path]);
  let now = 0;
  const { site } = await mount(files.path, undefined, { ...systemClock, monotonic: () => now });
  const statusOf = async (): Promise<number> => (await site.fetch(new Request(`${origin}/plan.pdf`))).status;
  expect(await statusOf()).toBe(200);
  await files.writeFile('.gitignore', '*.pdf\n');
  now += 1001;
  expect(await statusOf()).toBe(404);
});

test('shows placeholders for slow blocks, and renders at most 8 blocks at a time', async () => {
  await using files = await createFixture({ 'README.md': `# A\n\n${'{% @hello/note %}\n\n'.repeat(10)}` });
  let release = (): void => {};
  const held = new Promise<void>((done) => (release = done));
  const result: RenderResult = { type: 'element', element: 'ready', props: {}, state: {}, call: 'c' };
  const sleep = (ms: number): Promise<void> => (ms === 1500 ? Promise.resolve() : new Promise(() => {}));
  const slow = await mount(files.path, () => held.then(() => result), { ...systemClock, sleep });
  const page = await slow.html('/');
  expect(slow.rendered.length).toBe(8);
  const [, pending] = /"pending":"([^"]+)"/.exec(page) ?? [];
  release();
  const fetched = await slow.site.fetch(
    new Request(`${origin}/~/render`, {
      method: 'POST',
      headers: { origin, 'x-platform-token': 'key' },
      body: JSON.stringify({ pending }),
    }),
  );
  expect(await fetched.json()).toMatchObject({ type: 'element', element: 'ready' });
});

test('tells open pages which page was saved', async () => {
  await using files = await createFixture({ 'README.md': '# A\n' });
  const { site, content, revise } = await mount(files.path);
  const [page] = content.pages();
  const response = await site.fetch(
    new Request(`${origin}/~/follow`, { method: 'POST', headers: { origin, 'x-platform-token': 'key' } }),
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('hello\n');
  revise({
    id: 'r',
    createdAt: 0,
    changes: [{ type: 'page_edited', page: page!, attributes: { documentId: { before: 'a', after: 'b' } } }],
  });
  expect((await reader.read()).value).toBe(`page ${page!.id}\n`);
  revise({ id: 's', createdAt: 0, changes: [{ type: 'page_created', page: page! }] });
  expect((await reader.read()).value).toBe('pages\n');
});

test.each([
  ['/guides/first?tab=2&jwt_token=', `${origin}/guides/first?tab=2`],
  ['//attacker.example/?jwt_token=', `${origin}/attacker.example/`],
  ['/%5C/attacker.example/?jwt_token=', `${origin}/%5C/attacker.example/`],
])('redirects %s to the site if the token is valid', async (address, expected) => {
  await using files = await createFixture({ 'README.md': '# Welcome' });
  const { site } = await mount(files.path);
  const [head, body] = [{ alg: 'HS256' }, { sub: 'ada' }].map((value) =>
    Buffer.from(JSON.stringify(value)).toString('base64url'),
  );
  const signature = createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url');
  const response = await site.fetch(new Request(`${origin}${address}${head}.${body}.${signature}`));
  expect(response.status).toBe(303);
  expect(new URL(response.headers.get('location') ?? '', origin).href).toBe(expected);
});

test("links a revision's URL to its page", async () => {
  await using files = await createFixture({ 'README.md': '# Welcome', 'guide.md': '# Guide' });
  const { site } = await mount(files.path);
  const response = await site.fetch(new Request(`${origin}/~/revisions/rev_1/guide`));
  expect(response.headers.get('location')).toBe(`${origin}/guide`);
});
