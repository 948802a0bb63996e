import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findIgnoredFiles } from '../../src/content/folder/find-ignored-files.js';
import { assetFolders } from '../../src/profiles/profile.js';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { hostileStrings } from '../support/hostile-strings.js';
import { launchPlainBrowser } from '../support/plain-browser.js';
import { serve } from '../support/serve.js';

// cspell:ignore endcolumn endcolumns endupdate endupdates endcode endcontent endswagger endopenapi endprompt
// cspell:ignore repositoryformatversion mkfifo foutside fsecret coutside csecret fetc fpasswd

const [assetFolder = ''] = assetFolders;
const canary = 'canary-outside-of-the-folder';
const megabyte = 1_000_000;
const repeat = (text: string): string => text.repeat(Math.floor(megabyte / text.length));

/** Pages of at most 1 MB that are made to keep the parser busy, or to overflow its stack. */
const hostilePages: Record<string, string> = {
  'one-line': repeat('x'),
  brackets: repeat('['),
  links: repeat('[a](b'),
  'open-html': repeat('<a href="/x">b'),
  'nested-html': '<a href="/x">'.repeat(30_000) + 'b' + '</a>'.repeat(30_000),
  comments: repeat('<!--'),
  entities: repeat('&amp;'),
  emphasis: '*a '.repeat(100_000) + 'a*'.repeat(100_000),
  'strong-and-deleted': '**~~a '.repeat(50_000) + 'a~~**'.repeat(50_000),
  marks: repeat('*a_'),
  backticks: Array.from({ length: 1_400 }, (_, length) => '`'.repeat(length)).join(' '),
  quotes: repeat('> '),
  lists: Array.from({ length: 1_300 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n'),
  columns: `${'|a'.repeat(100_000)}\n${'|-'.repeat(100_000)}`,
  cells: `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n`.repeat(400),
  tags: repeat('- {% @harbor-status/poll %}\n'),
  'open-tags': repeat('{% '),
  'deep-value': `{% @harbor-status/poll a=${'['.repeat(30_000)}${']'.repeat(30_000)} %}`,
  'deep-map': `{% @harbor-status/poll a=${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)} %}`,
  'long-headings': `# ${'x'.repeat(100)}\n\n`.repeat(1_000),
  'equal-headings': repeat('# a\n'),
  references: repeat('> [a]: b\n'),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((nth) => [
      `includes-${nth}`,
      `{% include "includes-${nth + 1}.md" %}\n\n`.repeat(1_000),
    ]),
  ),
  aliases: `---\na: &a [x]\n${Array.from({ length: 40 }, (_, n) => `b${n}: &b${n} [*${n ? `b${n - 1}` : 'a'}, *a]`).join('\n')}\n---\n`,
};

const quoted = (text: string): string => JSON.stringify(text).replaceAll('%}', '%\\u007d');

/** Blocks of the product with the text in each of their attributes and in their content. */
function nativeBlocks(text: string): string {
  const [value, plain] = [quoted(text), text.replaceAll(/["<>]/g, '')];
  return [
    `{% hint style=${value} icon=${value} %}\n${text}\n{% endhint %}`,
    `{% tabs %}\n{% tab title=${value} %}\n${text}\n{% endtab %}\n{% endtabs %}`,
    `{% columns %}\n{% column width=${value} %}\n${text}\n{% endcolumn %}\n{% endcolumns %}`,
    `{% updates %}\n{% update date=${value} tags=${value} %}\n${text}\n{% endupdate %}\n{% endupdates %}`,
    `{% code title=${value} lineNumbers="true" %}\n\`\`\`${plain}\n${text}\n\`\`\`\n{% endcode %}`,
    `{% content-ref url=${value} %}\n${text}\n{% endcontent-ref %}`,
    `{% file src=${value} caption=${value} %}\n\n{% include ${value} %}`,
    `{% swagger method=${value} path=${value} summary=${value} %}\n{% endswagger %}`,
    `{% openapi-operation spec=${value} method="get" path="/" %}\n{% endopenapi-operation %}`,
    `{% prompt description=${value} %}\n${text}\n{% endprompt %}`,
    `<details><summary>${text}</summary>\n\n${text}\n\n</details>`,
    `<figure><img src="${plain}" alt="${plain}" width="${plain}"><figcaption>${text}</figcaption></figure>`,
    `<table data-view="cards"><tr><th></th><th data-card-target></th><th data-card-cover></th></tr><tr><td>${text}</td><td><a href="${plain}">x</a></td><td><a href="${plain}">x</a></td></tr></table>`,
    `<mark style="color:${plain}">a</mark> <a class="button ${plain}" href="${plain}">b</a> <i class="fa-${plain}">c</i>`,
    `## Title {#${plain}}`,
  ].join('\n\n');
}

/** A page that contains every hostile string where a page may contain text, an address or a value. */
const hostileText = hostileStrings
  .map((text) => text.replaceAll(/[\r\n]+/g, ' '))
  .flatMap((text, nth) => [
    nth % 5 === 0 ? `## ${text}` : text,
    `[link](<${text.replaceAll(/[<>]/g, '')}>) ![image](<${text.replaceAll(/[<>]/g, '')}> "${text}")`,
    nth % 25 === 0 ? `{% @nobody/block text=${quoted(text)} %}` : '',
    nth % 9 === 0 ? nativeBlocks(text) : '',
  ])
  .filter((line) => line !== '')
  .join('\n\n');

/** Hidden files that a page links to, which must not be served. */
const hiddenWays = [
  '/.env',
  `/${assetFolder}.yaml`,
  `/${assetFolder}/.env`,
  `/${assetFolder}/../.env`,
  `/${assetFolder}/%2e%2e/.env`,
  `/${assetFolder}/assets/.env.png`,
  `/${assetFolder}/assets/link.pdf`,
  `/${assetFolder}/linked/secret.pdf`,
  `/${assetFolder}/assets/../../../outside/secret.pdf`,
  '/.git-like/a.png',
];

let platform: DevPlatform;
let outside: string;
let chromium: { browser: Browser; close(): Promise<void> };
beforeAll(async () => {
  [platform, chromium] = await Promise.all([
    startDevPlatform('console', ['--state', 'memory', '--content', 'pages'], async (folder) => {
      const pages = join(folder, 'pages');
      outside = join(folder, 'outside');
      for (const path of [pages, join(pages, 'sub'), outside]) mkdirSync(path);
      writeFileSync(join(outside, 'secret.pdf'), canary);
      writeFileSync(join(outside, 'secret.md'), canary);
      writeFileSync(join(pages, 'README.md'), '# Start\n\n{% @harbor-status/poll %}\n');
      writeFileSync(join(pages, 'pic.png'), 'picture');
      writeFileSync(join(pages, '.hidden.pdf'), canary);
      // A page can use the files in this hidden folder, but not other hidden files, even if it links to them.
      const assets = join(pages, assetFolder);
      for (const path of [assets, join(assets, 'assets'), join(pages, '.git-like')]) mkdirSync(path);
      for (const path of [
        '.env',
        `${assetFolder}.yaml`,
        `${assetFolder}/.env`,
        `${assetFolder}/assets/.env.png`,
        '.git-like/a.png',
      ])
        writeFileSync(join(pages, path), canary);
      writeFileSync(join(assets, 'unused.png'), canary);
      writeFileSync(join(assets, 'page.md'), `# ${canary}\n`);
      writeFileSync(join(assets, 'assets/used.png'), 'used');
      symlinkSync('../../../outside/secret.pdf', join(assets, 'assets/link.pdf'));
      symlinkSync(outside, join(assets, 'linked'));
      writeFileSync(
        join(pages, 'uses.md'),
        `# Uses\n\n![a](${assetFolder}/assets/used.png)\n\n${hiddenWays.map((way) => `[x](<${way.slice(1)}>)`).join('\n')}\n`,
      );
      writeFileSync(join(pages, 'sub/secret.pdf'), 'own');
      writeFileSync(join(pages, 'sub/page.md'), '# Own\n\n[file](secret.pdf)\n');
      symlinkSync('../outside/secret.pdf', join(pages, 'link.pdf'));
      symlinkSync('../outside/secret.md', join(pages, 'link.md'));
      symlinkSync(outside, join(pages, 'linked'));
      for (const [name, text] of Object.entries(hostilePages)) writeFileSync(join(pages, `${name}.md`), text);
      writeFileSync(join(pages, 'corpus.md'), hostileText);
    }),
    launchPlainBrowser(),
  ]);
}, 120_000);
afterAll(async () => {
  await chromium.close();
  await platform.close();
});

/** Sends the path exactly as it is, which `fetch` would normalize. */
const get = (path: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(platform.siteOrigin);
    request({ host: hostname, port, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end();
  });

const ways = [
  ...hiddenWays,
  '/../outside/secret.pdf',
  '/..%2foutside%2fsecret.pdf',
  '/%2e%2e/outside/secret.pdf',
  '/sub/../../outside/secret.pdf',
  '/..%5coutside%5csecret.pdf',
  '/..\\outside\\secret.pdf',
  '/pages%5c..%5c..%5coutside%5csecret.pdf',
  '/pic.png%00',
  '/%00/../outside/secret.pdf',
  '/link.pdf',
  '/link',
  '/linked/secret.pdf',
  '/linked/secret',
  '/.hidden.pdf',
  '/SUB/secret.pdf%20',
  '/PIC.PNG',
  '//etc/passwd',
  '/%c0%ae%c0%ae/outside/secret.pdf',
  '/file:%2f%2f%2fetc%2fpasswd',
];

test('never serves a file outside the folder', async () => {
  const found = await Promise.all(ways.map(async (path) => ({ path, ...(await get(path)) })));
  for (const { path, status, text } of found) {
    expect([path, status]).toEqual([path, expect.toBeOneOf([400, 403, 404])]);
    expect(text).not.toMatch(/canary|root:/);
  }
  const api = await Promise.all(
    ways.map(async (path) => {
      const query = new URLSearchParams({
        space: 'space_local',
        path: decodeURI(path.slice(1).replace(/%c0%ae/g, '')),
      });
      const response = await fetch(`${platform.consoleOrigin}/console/api/content/file?${query}`, {
        headers: { 'X-Platform-Token': platform.key },
      });
      return [path, response.status, await response.text()] as const;
    }),
  );
  for (const [path, status, text] of api) {
    expect([path, status]).toEqual([path, expect.toBeOneOf([400, 404])]);
    expect(text).not.toMatch(/canary|root:/);
  }
  console.log(
    `files outside the folder: 0 of ${ways.length} addresses of the site and of the console read one`,
  );
});

test('serves the files in the hidden folder of assets only if a page uses them', async () => {
  expect(await get(`/${assetFolder}/assets/used.png`)).toEqual({ status: 200, text: 'used' });
  for (const path of [
    `/${assetFolder}/unused.png`,
    `/${assetFolder}/page.md`,
    `/${assetFolder}/page`,
    `/${assetFolder}`,
  ]) {
    const { status, text } = await get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toContain(canary);
  }
});

test('does not follow a symlink that replaces a folder after the folder has been read', async () => {
  expect(await get('/sub/secret.pdf')).toEqual({ status: 200, text: 'own' });
  const sub = join(platform.folder, 'pages/sub');
  renameSync(sub, `${sub}-before`);
  writeFileSync(join(outside, 'page.md'), canary);
  symlinkSync(outside, sub);
  for (const path of ['/sub/secret.pdf', '/sub/page']) {
    const { status, text } = await get(path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).not.toContain(canary);
  }
});

test('shows hostile Markdown of up to 1 MB on the site and in Pages without an error', async () => {
  const { pages } = await platform.api<{ pages: { id: string; path: string }[] }>(
    'GET',
    '/content?space=space_local',
  );
  const took: number[] = [];
  for (const name of Object.keys(hostilePages)) {
    const began = performance.now();
    const { status } = await get(`/${name}`);
    took.push(performance.now() - began);
    expect([name, status]).toEqual([name, 200]);
    const page = pages.find(({ path }) => path === name)?.id ?? '';
    const shown = await platform.api<{ blocks: unknown[] }>(
      'GET',
      `/content/page?${new URLSearchParams({ space: 'space_local', page })}`,
    );
    expect([name, Array.isArray(shown.blocks)]).toEqual([name, true]);
  }
  const search = await get('/~/search.json');
  expect(search.status).toBe(200);
  console.log(
    `hostile Markdown: ${took.length} of ${took.length} pages shown, slowest ${Math.round(Math.max(...took))} ms`,
  );
});

test.each(['without a key', 'with the site key'])('rejects changes to a page %s', async (key) => {
  const { pages } = await platform.api<{ pages: { id: string }[] }>('GET', '/content?space=space_local');
  const page = { space: 'space_local', page: pages[0]?.id, hash: 'x' };
  const attempts: [method: string, path: string, body: object][] = [
    ['POST', '/content/page', { space: 'space_local', path: 'new', title: 'New' }],
    ['POST', '/content/page/move', { ...page, path: 'moved' }],
    ['DELETE', '/content/page', page],
    ['POST', '/content/block', { ...page, at: 0, link: 'https://example.com/' }],
    ['PATCH', '/content/block', { ...page, start: 0, props: {} }],
    ['DELETE', '/content/block', { ...page, start: 0 }],
    ['POST', '/content/visibility', { space: 'space_local', visibility: 'private' }],
    ['POST', '/content/sync', { space: 'space_local' }],
  ];
  for (const [method, path, body] of attempts) {
    const headers = {
      'Content-Type': 'application/json',
      ...(key === 'with the site key' && { 'X-Platform-Token': platform.siteKey }),
    };
    const sent = { method, headers, body: JSON.stringify(body) };
    const statuses = [
      (await fetch(`${platform.consoleOrigin}/console/api${path}`, sent)).status,
      (await fetch(`${platform.siteOrigin}/console/api${path}`, sent)).status,
      (await fetch(`${platform.siteOrigin}/~${path}`, sent)).status,
    ];
    expect([path, ...statuses]).toEqual([path, 401, ...Array<unknown>(2).fill(expect.toBeOneOf([403, 405]))]);
  }
});

const inBrowser = async (work: (page: Page) => Promise<void>): Promise<void> => {
  const context = await chromium.browser.newContext();
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
};

test('never executes hostile text in a page as code', () =>
  inBrowser(async (page) => {
    await page.addInitScript(() => {
      const marks: unknown[] = [];
      Object.assign(window, { marks, tripwire: (a: unknown) => marks.push(a), alert: () => marks.push(1) });
    });
    await page.goto(`${platform.siteOrigin}/corpus#key=${platform.siteKey}`);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    const found = await page.evaluate(() => ({
      marks: (window as unknown as { marks: unknown[] }).marks,
      elements: [...document.querySelectorAll('.prose :not(.native-tab [type=radio])')].flatMap(
        ({ localName, attributes }) => {
          const bad = [...attributes].filter(
            ({ name, value }) =>
              (/^(on.*|style|srcdoc)$/.test(name) && !/^flex-grow: \d+;$/.test(value)) ||
              (/^(href|src|action|formaction)$/.test(name) &&
                !/^(https?:|mailto:|data:image\/|#|\/)/.test(value)),
          );
          const odd = /^(iframe|object|embed|form|base|meta|link|style|svg:script|math|video|input)$/.test(
            localName,
          );
          return bad.length > 0 || odd
            ? [localName, ...bad.map(({ name, value }) => `${name}=${value}`)]
            : [];
        },
      ),
      text: document.querySelector('.prose')?.textContent?.length ?? 0,
    }));
    console.log(`XSS corpus on the site: ${hostileStrings.length} strings, ${found.marks.length} ran`);
    expect(found.marks).toEqual([]);
    expect(found.elements).toEqual([]);
    expect(found.text).toBeGreaterThan(10_000);
  }));

test('prevents pages from other origins from framing the site, and renders no blocks for them', () =>
  inBrowser(async (page) => {
    const stranger = await serve(
      () =>
        new Response(`<!doctype html><iframe src="${platform.siteOrigin}/"></iframe>`, {
          headers: { 'Content-Type': 'text/html' },
        }),
    );
    const answered = page.waitForResponse((response) => response.url() === `${platform.siteOrigin}/`);
    await page.goto(stranger.url);
    expect((await answered).status()).toBe(403);
    const [frame] = page.frames().slice(1);
    expect(await frame?.locator('.prose').count()).toBe(0);
    expect(await platform.api('GET', '/calls?type=ui_render')).toEqual([]);
    await stranger.close();
  }));

/** Makes Git fetch a missing object with a command from the repository's settings. */
const fetchingRepository = (ran: string): string => `
  git init -q . && echo '*.zip' > .gitignore && git add .gitignore
  object=$(git rev-parse :.gitignore | sed 's,^..,&/,') && git update-index --skip-worktree .gitignore
  rm .gitignore .git/objects/$object
  git config core.repositoryformatversion 1 && git config extensions.partialClone origin
  git config core.fsmonitor 'touch ${ran}' && git config remote.origin.promisor true
  git config remote.origin.url 'ext::touch ${ran}' && git config protocol.ext.allow always`;

const ignoring = "git init -q . && echo '*.zip' > .gitignore";
test.each([
  ['settings', fetchingRepository, []],
  [
    'a bare repository among the pages',
    (ran: string) =>
      `${ignoring} && cd pages && ${fetchingRepository(ran)} && git config core.worktree . && mv .git/* . && rmdir .git`,
    ['a.zip', ':!b.zip'],
  ],
  ['odd names', () => `${ignoring} && cd pages && touch ':!b.zip' ':(top)c.pdf'`, ['a.zip', ':!b.zip']],
  ['a FIFO', () => `${ignoring} && mkfifo pages/.gitignore`, ['a.zip', 'd.pdf', ':!b.zip', ':(top)c.pdf']],
])('asks Git for ignored files in a repository with %s', async (_, prepare, expected) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-repository-')));
  const ran = join(folder, 'ran');
  mkdirSync(join(folder, 'pages'));
  execFileSync('sh', ['-ec', prepare(ran)], { cwd: folder });
  const files = ['a.zip', 'd.pdf', ':!b.zip', ':(top)c.pdf'];
  const ignored = await findIgnoredFiles(join(folder, 'pages'), files);
  expect(files.filter((file) => ignored.has(file)).sort()).toEqual(expected.sort());
  expect(existsSync(ran)).toBe(false);
});
