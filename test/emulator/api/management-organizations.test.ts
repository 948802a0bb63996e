import { expect, it } from 'vitest';
import { defaultWorkspace } from '../../../src/protocol/workspace.js';
import { createCalled } from '../calls/called.js';

it.each([
  ['', expect.objectContaining({ id: 'org_local', title: 'Local organization' })],
  ['/spaces', { items: [expect.objectContaining({ id: 'space_local', object: 'space' })], count: 1 }],
  ['/sites', { items: [expect.objectContaining({ id: 'site_local', object: 'site' })], count: 1 }],
  ['/search?query=start', { items: [], count: 0 }],
  ['/openapi', { items: [], count: 0 }],
])('responds to GET /orgs/org_local%s', async (path, body) => {
  const { call, tokens } = await createCalled();
  expect(await call('GET', `/orgs/org_local${path}`, { token: tokens.first })).toEqual({ status: 200, body });
  expect(await call('GET', `/orgs/org_local${path}`, { token: tokens.second })).toMatchObject({
    status: 404,
  });
});

it('lists only resources that belong to the organization', async () => {
  const { call, tokens } = await createCalled();
  const { body } = await call('GET', '/orgs/org_other/spaces', { token: tokens.second });
  expect(body).toEqual({ items: [], count: 0 });
});

const sources = [
  { type: 'page', space: 'space_local', revision: 'space_local_revision_1', page: 'space_local_page_1' },
];
const answers = [
  { question: 'Why?', markdown: 'Because it **works**.', followupQuestions: ['How?'] },
  { markdown: 'Ask something else.', followupQuestions: [] },
];

it.each([
  ['Why?', 'markdown', { markdown: 'Because it **works**.' }, ['How?']],
  [' why? ', 'markdown', { markdown: 'Because it **works**.' }, ['How?']],
  ['When?', 'markdown', { markdown: 'Ask something else.' }, []],
  [
    'When?',
    'document',
    { document: expect.objectContaining({ object: 'document', nodes: [expect.anything()] }) },
    [],
  ],
])(
  'responds to the question "%s" as configured in platform.dev.yaml, in the format %s',
  async (query, format, answer, followupQuestions) => {
    const { call, tokens } = await createCalled({ workspace: { ...defaultWorkspace, answers } });
    const question = { body: { query }, token: tokens.first };
    expect(await call('POST', `/orgs/org_local/ask?format=${format}`, question)).toEqual({
      status: 200,
      body: { answer: { answer, followupQuestions, sources } },
    });
  },
);

it('responds to a question with a sample response if none is configured', async () => {
  const { call, tokens } = await createCalled();
  const { body } = await call('POST', '/orgs/org_local/ask', {
    body: { query: 'Why?' },
    token: tokens.first,
  });
  expect(body).toMatchObject({
    answer: { answer: { markdown: expect.stringContaining('"Why?"') }, sources },
  });
  expect(await call('POST', '/orgs/org_local/ask', { body: {}, token: tokens.first })).toMatchObject({
    status: 400,
  });
});

it('streams the response to a question in three increasingly long chunks', async () => {
  const { get, tokens } = await createCalled();
  const headers = { authorization: `Bearer ${tokens.first}` };
  const response = await get('/api/v1/orgs/org_local/ask/stream?query=Why&format=markdown', { headers });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)));
  expect(events.map(({ type }) => type)).toEqual(['answer', 'answer', 'answer']);
  const texts: string[] = events.map(({ answer }) => answer.answer.markdown);
  expect(texts[1]?.startsWith(texts[0] ?? '-')).toBe(true);
  expect(texts[2]?.startsWith(texts[1] ?? '-')).toBe(true);
  expect(new Set(texts.map(({ length }) => length)).size).toBe(3);
  expect(events[2].answer.followupQuestions).not.toEqual([]);
});
