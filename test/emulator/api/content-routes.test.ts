import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openContent } from '../../../src/content/index.js';
import type {
  ContentResource,
  PageResource,
  RevisionResource,
} from '../../../src/contract/routes/content.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import { createSample, startSample, integration, type Sample } from '../emulator-under-test.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
const space = 'space_local';
const text = '\uFEFF# Start\r\n\r\n{% @sample/counter start=1 %}\r\n\r\n```mermaid\r\na\r\n```\r\n';

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'README.md'), text);
});

const file = (): string => readFileSync(join(folder, 'README.md'), 'utf8');

async function open(): Promise<{ sample: Sample; page: PageResource }> {
  const sample = await startSample(createIntegration({ components: [] }), {
    integration: {
      ...integration,
      scopes: ['space:metadata:read', 'space:git:sync', 'space:content:read'] as never,
      blocks: [
        { id: 'counter', title: 'Counter', urlUnfurl: [] },
        {
          id: 'diagram',
          title: 'Diagram',
          urlUnfurl: [],
          markdown: { codeblock: 'mermaid', body: 'source' },
        },
      ],
    },
    mount: (spaceId, ids) => openContent({ folder, spaceId, ids, clock: { now: () => 0 } }),
  });
  const { body } = await sample.control<ContentResource>('GET', `/content?space=${space}`);
  const id = body.pages[0]?.id ?? '';
  const { body: page } = await sample.control<PageResource>('GET', `/content/page?space=${space}&page=${id}`);
  return { sample, page };
}

const of = ({ id, hash }: PageResource) => ({ space, page: id, hash });

it('rejects an edit to an outdated version of a page, and writes nothing', async () => {
  const { sample, page } = await open();
  const other = text.replace('# Start', '# Changed by someone else');
  writeFileSync(join(folder, 'README.md'), other);
  for (const [method, path, edit] of [
    ['PATCH', '/content/block', { start: 11, props: { start: 2 } }],
    ['POST', '/content/block', { at: page.ends[0], component: 'counter' }],
    ['DELETE', `/content/block?start=11&${new URLSearchParams(of(page))}`, undefined],
    ['PUT', '/content/page', { text: '# Mine' }],
    ['DELETE', `/content/page?${new URLSearchParams(of(page))}`, undefined],
  ] as const) {
    const { status, body } = await sample.control(method, path, edit && { ...of(page), ...edit });
    expect([status, (body as { code?: string }).code]).toEqual([409, 'page-changed']);
  }
  expect(file()).toBe(other);
});

it("replaces a page's text, and shows in the history which blocks changed", async () => {
  const { sample, page } = await open();
  const edited = text.replace('start=1', 'start=2').replace('# Start', '{% @sample/poll %}\r\n\r\n# Start');
  const { body } = await sample.control<PageResource>('PUT', '/content/page', { ...of(page), text: edited });
  expect(file()).toBe(edited);
  const { body: revisions } = await sample.control<RevisionResource[]>(
    'GET',
    `/content/revisions?space=${space}`,
  );
  const [{ details } = { details: [] }] = revisions[0]?.changes ?? [];
  expect(details).toEqual([
    { name: 'block changed', after: 'sample/counter' },
    { name: 'block inserted', after: 'sample/poll' },
    { name: 'documentId', before: page.hash, after: body.hash },
  ]);
  const { body: before } = await sample.control('GET', `/content/text?space=${space}&hash=${page.hash}`);
  expect(before).toEqual({ text });
});

it('stores only the text of a code fence as a block property', async () => {
  const { sample, page } = await open();
  const start = text.indexOf('```mermaid');
  const edited = await sample.control<PageResource>('PATCH', '/content/block', {
    ...of(page),
    start,
    props: { source: 'b\nc' },
  });
  expect(file()).toBe(text.replace('\r\na\r\n', '\r\nb\r\nc\r\n'));
  const { status, body } = await sample.control('PATCH', '/content/block', {
    ...of(edited.body),
    start,
    props: { source: 'b', theme: 'dark' },
  });
  expect([status, (body as { error?: string }).error]).toEqual([
    400,
    'A code fence can only store source, not theme.',
  ]);
});

it.each([
  ['javascript:alert(1)'],
  ['https://example.com/ %} {% @sample/counter %}'],
  ['https://example.com/>\n<img>'],
  ['https://'],
])('does not insert a link to %j', async (url) => {
  const { sample, page } = await open();
  for (const kind of ['embed', 'link']) {
    const { status } = await sample.control('POST', '/content/block', {
      ...of(page),
      at: page.start,
      [kind]: url,
    });
    expect(status).toBe(400);
  }
  expect(file()).toBe(text);
});

it('turns a page title with line breaks into a single heading', async () => {
  const { sample } = await open();
  await sample.control('POST', '/content/page', { space, path: 'new', title: 'A\n\n{% @sample/counter %}' });
  expect(readFileSync(join(folder, 'new.md'), 'utf8')).toBe('# A {% @sample/counter %}\n');
});

it('sends the events for a visibility change and for a sync', async () => {
  const { sample } = await open();
  await sample.control('POST', '/content/visibility', { space, visibility: 'private' });
  await sample.control('POST', '/content/visibility', { space, visibility: 'private' });
  await sample.control('POST', '/content/sync', { space });
  await sample.emulator.settled();
  expect(sample.events().slice(-3)).toMatchObject([
    { type: 'space_visibility_updated', spaceId: space, visibility: 'private', previousVisibility: 'public' },
    { type: 'space_gitsync_started', spaceId: space },
    { type: 'space_gitsync_completed', spaceId: space, state: 'success' },
  ]);
});

it('explains how to mount a folder for a space that has no pages', async () => {
  const sample = createSample();
  const { body } = await sample.control<ContentResource>('GET', `/content?space=${space}`);
  expect(body).toMatchObject({ pages: [] });
  expect(body).not.toHaveProperty('folder');
  const { status, body: error } = await sample.control('POST', '/content/page', {
    space,
    path: 'a',
    title: 'A',
  });
  expect([status, error]).toMatchObject([
    409,
    { code: 'no-folder', hint: expect.stringContaining('--content') },
  ]);
});
