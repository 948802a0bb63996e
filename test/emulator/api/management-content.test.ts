import { expect, it } from 'vitest';
import { createCalled } from '../calls/called.js';

const space = 'http://127.0.0.1:4100/console/spaces/space_local';
const content = '/spaces/space_local/content';
const r7 = '/spaces/space_local/revisions/r7';

it.each([
  [
    `${r7}/changes`,
    {
      changes: [
        expect.objectContaining({ type: 'page_edited', page: expect.objectContaining({ title: 'Start' }) }),
      ],
    },
  ],
  [`${r7}/page/space_local_page_1`, expect.objectContaining({ title: 'Start' })],
  [r7, expect.objectContaining({ id: 'r7', files: [], tags: [] })],
  [`${r7}/pages`, { pages: [expect.objectContaining({ documentId: 'space_local_document_1' })] }],
  [`${content}/pages`, { pages: [expect.objectContaining({ id: 'space_local_page_1' })] }],
  [`${content}/page/space_local_page_1`, expect.objectContaining({ title: 'Start' })],
  [`${content}/files`, { items: [], count: 0 }],
  [`/urls/content?url=${space}/start`, { space: expect.objectContaining({ id: 'space_local' }) }],
])('responds to GET %s with the local content', async (path, body) => {
  const { call } = await createCalled();
  expect(await call('GET', path)).toEqual({ status: 200, body });
});

it.each([
  [403, `${r7}/changes`, 'second'],
  [403, `${r7}/page/space_local_page_1`, 'second'],
  [403, r7, 'second'],
  [403, content, 'second'],
  [403, `${content}/pages`, 'second'],
  [403, `/urls/content?url=${space}`, 'second'],
  [404, `${r7}/page/nowhere`, 'first'],
  [404, `/urls/content?url=${space}2`, 'first'],
  [404, '/urls/content', 'first'],
] as const)("returns %i for a request for %s with the %s one's token", async (status, path, name) => {
  const { call, tokens } = await createCalled();
  expect(await call('GET', path, { token: tokens[name] })).toMatchObject({ status });
});

it('explains how a revision was created', async () => {
  const { call, control, clock } = await createCalled();
  const times = async (): Promise<unknown[]> => [
    ((await call('GET', content)).body as { createdAt: string }).createdAt,
    ((await call('GET', '/spaces/space_local')).body as { updatedAt: string }).updatedAt,
  ];
  await clock.advance(60_000);
  expect(await times()).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']);
  await control('POST', '/events', { type: 'space_content_updated' });
  expect(await times()).toEqual(['2026-01-01T00:01:00.000Z', '2026-01-01T00:01:00.000Z']);
});
