import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openContent, type Content } from '../../../src/content/index.js';
import { createCalled, type Called } from '../calls/called.js';

let folder: string;
let content: Content;
let called: Called;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'platform-mounted-')));
  writeFileSync(join(folder, 'README.md'), '# Welcome');
  writeFileSync(join(folder, 'guide.md'), '---\ntitle: Guide\ndescription: D\n---\n# One\ntext\n\nmore');
  writeFileSync(join(folder, 'p.png'), 'picture');
  called = await createCalled({
    mount(space, ids) {
      content = openContent({ folder, spaceId: space, clock: { now: () => 0 }, ids });
      return content;
    },
  });
  await content.ready;
});

afterEach(() => {
  content.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const { status, body } = await called.call('GET', `/spaces/space_local${path}`);
  return { status, body: body as Record<string, unknown> };
};

describe('the content of a mounted folder', () => {
  it('is a tree of pages, which are found by id and by path', async () => {
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

  it('has files', async () => {
    const { body } = await get('/content/files');
    expect(body).toMatchObject({ count: 1, items: [{ name: 'p.png', size: 7 }] });
    const [file] = body['items'] as { id: string }[];
    expect((await get(`/content/files/${file?.id}`)).body).toEqual(file);
  });

  it('has revisions with their changes, and tells the script and webhooks of each', async () => {
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

  it('names an existing revision in a triggered event', async () => {
    const { body } = await called.control<{ event: { revisionId: string } }>('POST', '/events', {
      type: 'space_content_updated',
    });
    expect(body.event.revisionId).toBe(content.revision().id);
  });

  it.each([
    '/revisions/r7',
    '/revisions/r7/changes',
    '/content/page/x',
    '/content/path/x',
    '/content/files/x',
  ])('responds to %s, which does not exist, with 404', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404 });
  });

  it('is found by the URL of a page', async () => {
    const [, { urls }] = (await get('/content/pages')).body['pages'] as [unknown, { urls: { app: string } }];
    const { body } = await called.call('GET', `/urls/content?url=${encodeURIComponent(urls.app)}`);
    expect(body).toMatchObject({ space: { id: 'space_local' }, page: { path: 'guide' } });
  });
});
