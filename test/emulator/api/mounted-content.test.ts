import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openContent, type Content } from '../../../src/content/index.js';
import { createCalled, type Called } from '../calls/called.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let content: Content;
let called: Called;

beforeEach(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'README.md'), '# Welcome');
  writeFileSync(join(folder, 'guide.md'), '---\ntitle: Guide\ndescription: D\n---\n# One\ntext\n\nmore');
  writeFileSync(join(folder, 'p.png'), 'picture');
  called = await createCalled({
    siteOrigin: 'http://127.0.0.1:43117',
    mount(space, ids) {
      content = openContent({ folder, spaceId: space, clock: { now: () => 0 }, ids });
      return content;
    },
  });
  await content.ready;
});

afterEach(() => {
  content.close();
});

const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const { status, body } = await called.call('GET', `/spaces/space_local${path}`);
  return { status, body: body as Record<string, unknown> };
};

it('returns a tree of pages, and finds each page by its id or path', async () => {
  const { body } = await get('/content/pages');
  expect(body).toMatchObject({
    pages: [
      { title: 'Welcome', path: '', type: 'document', pages: [] },
      { title: 'Guide', path: 'guide', slug: 'guide', description: 'D' },
    ],
  });
  const [, guide] = body['pages'] as { id: string; documentId: string }[];
  expect((await get(`/content/page/${guide?.id}?format=markdown`)).body).toMatchObject({
    id: guide?.id,
    markdown: '# One\ntext\n\nmore',
  });
  expect((await get('/content/path/guide')).body).toMatchObject({
    id: guide?.id,
    document: { object: 'document' },
  });
  const nodes = [{ type: 'heading-1' }, { type: 'paragraph' }, { type: 'paragraph' }];
  for (const path of [`/documents/${guide?.documentId}`, `/content/page/${guide?.id}/document`])
    expect((await get(path)).body).toMatchObject({ object: 'document', nodes });
});

it("returns a page's blocks as the nodes of a document", async () => {
  const text = [
    'A **bold *both*** [link](a.md) and `code`<br><kbd>K</kbd><i class="fa-gear">:gear:</i>',
    '{% hint style="warning" %}\n- [x] done\n\n1. one\n{% endhint %}',
    '{% tabs %}\n{% tab title="T" %}\n{% code title="a.js" overflow="wrap" %}\n```js\n1\n2\n```\n{% endcode %}\n{% endtab %}\n{% endtabs %}',
    '{% stepper %}\n{% step %}\n> quote\n{% endstep %}\n{% endstepper %}',
    '<figure><img src="p.png" alt="P" width="20"><figcaption>C</figcaption></figure>',
    '<details><summary>S</summary>\n\nbody\n\n</details>',
    '<table data-view="cards"><tr><th>Name</th><th data-card-target></th></tr><tr><td>N</td><td><a href="b.md">b</a></td></tr></table>',
    '{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}\n\n{% file src="p.png" %}',
    '{% embed url="https://example.com/a" %}\ncaption\n{% endembed %}\n\n{% @other/poll n=1 %}\n\n---',
  ].join('\n\n');
  writeFileSync(join(folder, 'guide.md'), text);
  const { body } = await get('/content/path/guide');
  const { nodes } = body['document'] as { nodes: object[] };
  const leaf = (value: string, ...types: string[]): object => ({
    object: 'text',
    leaves: [{ object: 'leaf', text: value, marks: types.map((type) => ({ object: 'mark', type })) }],
  });
  const line = (value: string): object => ({ type: 'code-line', nodes: [leaf(value)] });
  const ref = (url: string): object => ({ ref: { kind: 'url', url } });
  expect(nodes).toMatchObject([
    {
      type: 'paragraph',
      nodes: [
        leaf('A '),
        leaf('bold ', 'bold'),
        leaf('both', 'bold', 'italic'),
        leaf(' '),
        { object: 'inline', type: 'link', data: ref('a.md'), nodes: [leaf('link')] },
        leaf(' and '),
        leaf('code', 'code'),
        leaf('\n'),
        leaf('K', 'keyboard'),
        { type: 'icon', data: { icon: 'gear' } },
      ],
    },
    {
      type: 'hint',
      data: { style: 'warning' },
      nodes: [
        { type: 'list-tasks', nodes: [{ type: 'list-item', data: { checked: true } }] },
        { type: 'list-ordered', nodes: [{ type: 'list-item', nodes: [{ type: 'paragraph' }] }] },
      ],
    },
    {
      type: 'tabs',
      nodes: [
        {
          type: 'tabs-item',
          data: { title: 'T' },
          nodes: [
            {
              type: 'code',
              data: { syntax: 'js', title: 'a.js', overflow: 'wrap' },
              nodes: [line('1'), line('2')],
            },
          ],
        },
      ],
    },
    { type: 'stepper', nodes: [{ type: 'stepper-step', nodes: [{ type: 'blockquote' }] }] },
    {
      type: 'images',
      nodes: [
        { type: 'image', data: { ...ref('p.png'), alt: 'P', width: 20 }, fragments: [{ type: 'caption' }] },
      ],
    },
    { type: 'expandable', fragments: [{ type: 'expandable-title' }, { type: 'expandable-body' }] },
    {
      type: 'table',
      data: {
        view: { type: 'cards', columns: ['column-0'], targetColumn: 'column-1' },
        definition: { 'column-0': { title: 'Name' } },
        records: { 'row-0': { values: { 'column-0': 'cell-0-0', 'column-1': 'cell-0-1' } } },
      },
    },
    { type: 'content-ref', isVoid: true, data: ref('a.md') },
    { type: 'file', isVoid: true, data: ref('p.png') },
    { type: 'embed', data: { url: 'https://example.com/a' } },
    { type: 'integration', data: { integration: 'other', block: 'poll', props: { n: 1 } } },
    { type: 'divider', isVoid: true },
  ]);
});

it('does not mistake text between two horizontal rules for front matter', async () => {
  const text = '# Rules\n\n---\n\nMiddle.\n\n---\n\nEnd.\n';
  writeFileSync(join(folder, 'guide.md'), text);
  expect((await get('/content/path/guide?format=markdown')).body).toMatchObject({ markdown: text });
});

it('lists the files in a mounted folder', async () => {
  const { body } = await get('/content/files');
  expect(body).toMatchObject({
    count: 1,
    items: [
      { name: 'p.png', size: 7, contentType: 'image/png', downloadURL: 'http://127.0.0.1:43117/p.png' },
    ],
  });
  const [file] = body['items'] as { id: string }[];
  expect((await get(`/content/files/${file?.id}`)).body).toEqual(file);
});

it('lists revisions with their changes, and notifies the script and webhooks of each', async () => {
  const { body: first } = await get('/content');
  renameSync(join(folder, 'guide.md'), join(folder, 'start.md'));
  writeFileSync(join(folder, 'new.md'), '# New');
  await content.look();
  await called.emulator.settled();

  const { body: second } = await get('/content');
  expect(second).toMatchObject({ object: 'revision', parents: [first['id']] });
  expect((await get('')).body).toMatchObject({ revision: second['id'] });
  const changes = `/revisions/${String(second['id'])}/changes`;
  expect((await get(changes)).body).toMatchObject({
    changes: [
      { type: 'page_created', page: { path: 'new' } },
      { type: 'page_edited', attributes: { slug: { before: 'guide', after: 'start' } } },
    ],
  });
  expect((await get(`${changes}?limit=1`)).body).toMatchObject({ changes: [{}], more: 1 });
  const told = called.calls.filter(({ event }) => event.type === 'space_content_updated');
  expect(told.map(({ event }) => event)).toMatchObject([
    { spaceId: 'space_local', revisionId: second['id'], updatedBy: [{ id: 'user_local' }] },
  ]);
});

it.each(['import', 'export'])('notifies the script when a Git %s starts and ends', async (direction) => {
  const body = { url: 'https://git.example.com/a/b.git', ref: 'refs/heads/main' };
  expect(await called.call('POST', `/spaces/space_local/git/${direction}`, { body })).toMatchObject({
    status: 202,
  });
  await called.emulator.settled();
  const { id, git } = content.revision();
  expect((await get(`/revisions/${id}`)).body).toMatchObject({ git: { ...git, createdByPlatform: true } });
  const told = called.calls.filter(({ event }) => event.type.startsWith('space_gitsync'));
  const synced = { spaceId: 'space_local', revisionId: id, commitId: git?.oid };
  expect(told.map(({ event }) => event)).toMatchObject([
    { type: 'space_gitsync_started', ...synced },
    { type: 'space_gitsync_completed', ...synced, state: 'success' },
  ]);
});

it('returns the branch that a revision was merged from, and omits the git field if there is no metadata', async () => {
  const [first, second] = ['a'.repeat(40), 'b'.repeat(40)];
  mkdirSync(join(folder, '.git/logs'), { recursive: true });
  const log = join(folder, '.git/logs/HEAD');
  writeFileSync(log, `${first} ${first} Ada <a@b> 1 +0000\tmerge old: Fast-forward\n`);
  content.close();
  called = await createCalled({
    mount: (spaceId, ids) => (content = openContent({ folder, spaceId, clock: { now: () => 0 }, ids })),
  });
  await content.ready;
  writeFileSync(join(folder, 'new.md'), '# New');
  appendFileSync(log, `${first} ${second} Ada <a@b> 2 +0000\tmerge fix/typos: Fast-forward\n`);
  await content.look();

  const { id } = content.revision();
  const mergedFrom = {
    number: 2,
    subject: 'fix/typos',
    urls: { app: expect.stringMatching(/[/]spaces[/]space_local[/]~[/]changes[/]2[/]$/) },
  };
  const { body: revision } = await get('/content');
  expect(revision).toMatchObject({ id, type: 'merge', mergedFrom, git: { oid: second } });
  expect((await get(`/revisions/${id}/changes?metadata=false`)).body).toMatchObject({
    changes: [{ type: 'page_created' }],
    mergedFrom,
  });
  for (const path of ['/content', `/revisions/${id}`]) {
    const { git: _git, ...rest } = revision;
    expect((await get(`${path}?metadata=false`)).body).toEqual(rest);
  }
  writeFileSync(join(folder, 'new.md'), '# Newer');
  await content.look();
  expect((await get('/content')).body).toMatchObject({ type: 'edits' });
  expect((await get('/content')).body).not.toHaveProperty('mergedFrom');
});

it('returns all pages even to a request that arrives before the folder has been read', async () => {
  content.close();
  called = await createCalled({
    siteOrigin: 'http://127.0.0.1:43117',
    mount: (spaceId, ids) => (content = openContent({ folder, spaceId, clock: { now: () => 0 }, ids })),
  });
  expect((await get('/content')).body).toMatchObject({ pages: [{}, {}], files: [{}] });
});

it("answers a question with passages that contain the question's words", async () => {
  writeFileSync(
    join(folder, 'limits.md'),
    '---\norder: 1\n---\n# Limits\n\nPages and files.\n\nA webhook is retried for 3 days,\nthen dropped.\n',
  );
  writeFileSync(join(folder, 'secret.md'), '---\nhidden: true\n---\n# Webhook webhooks retried\n');
  await content.look();
  const ask = async (query: string): Promise<unknown> =>
    (await called.call('POST', '/orgs/org_local/ask', { body: { query } })).body;
  expect(await ask('How long is a webhook retried?')).toEqual({
    answer: {
      answer: {
        markdown:
          'From [Limits](http://127.0.0.1:43117/limits):\n\n> A webhook is retried for 3 days,\n> then dropped.',
      },
      followupQuestions: [],
      sources: [
        {
          type: 'page',
          space: 'space_local',
          revision: content.revision().id,
          page: content.pageByPath('limits')?.id,
        },
      ],
    },
  });
  expect(await ask('Zebra?')).toMatchObject({
    answer: { answer: { markdown: expect.stringContaining('"Zebra?"') }, sources: [] },
  });
});

it('includes an existing revision in a triggered event', async () => {
  const { body } = await called.control<{ event: { revisionId: string } }>('POST', '/events', {
    type: 'space_content_updated',
  });
  expect(body.event.revisionId).toBe(content.revision().id);
});

it.each(['/revisions/r7', '/revisions/r7/changes', '/content/page/x', '/content/path/x', '/content/files/x'])(
  'responds with 404 to a request for the unknown resource %s',
  async (path) => {
    expect(await get(path)).toMatchObject({ status: 404 });
  },
);

it('returns console and site URLs that end with a slash', async () => {
  const app = expect.stringMatching(/[/]console[/]spaces[/]space_local[/]$/);
  const site = 'http://127.0.0.1:43117/';
  expect((await get('')).body).toMatchObject({ urls: { app, published: site, public: site } });
  const { body } = await called.call('GET', '/orgs/org_local/sites/site_local');
  expect(body).toMatchObject({
    adaptiveContent: { enabled: true },
    urls: { app: expect.stringMatching(/[/]sites[/]site_local$/), published: site },
  });
  await called.emulator.trigger({
    type: 'space_visibility_updated',
    event: { visibility: 'private', previousVisibility: 'public' },
  });
  expect((await get('')).body['urls']).not.toHaveProperty('public');
});

it('finds a page by its URL in the console, on the site and in a revision', async () => {
  const [, { urls }] = (await get('/content/pages')).body['pages'] as [unknown, { urls: { app: string } }];
  const space = urls.app.replace(/guide$/, '');
  const { id } = content.revision();
  const site = 'http://127.0.0.1:43117/';
  for (const url of [urls.app, `${site}guide`, `${site}guide?a#b`, `${space}~/revisions/${id}/guide`]) {
    const { body } = await called.call('GET', `/urls/content?url=${encodeURIComponent(url)}`);
    expect(body).toMatchObject({ space: { id: 'space_local' }, page: { path: 'guide' } });
  }
  const { status } = await called.call(
    'GET',
    `/urls/content?url=${encodeURIComponent('https://example.com/')}`,
  );
  expect(status).toBe(404);
});
