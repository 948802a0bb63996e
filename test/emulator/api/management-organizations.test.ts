import { describe, expect, it } from 'vitest';
import { createCalled } from '../calls/called.js';

describe('an organization', () => {
  it.each([
    ['', expect.objectContaining({ id: 'org_local', title: 'Local organization' })],
    ['/spaces', { items: [expect.objectContaining({ id: 'space_local', object: 'space' })], count: 1 }],
    ['/sites', { items: [expect.objectContaining({ id: 'site_local', object: 'site' })], count: 1 }],
    ['/search?query=start', { items: [], count: 0 }],
    ['/openapi', { items: [], count: 0 }],
  ])('GET /orgs/org_local%s', async (path, body) => {
    const { call, tokens } = await createCalled();
    expect(await call('GET', `/orgs/org_local${path}`, { token: tokens.first })).toEqual({
      status: 200,
      body,
    });
    expect(await call('GET', `/orgs/org_local${path}`, { token: tokens.second })).toMatchObject({
      status: 404,
    });
  });

  it('lists what is its own', async () => {
    const { call, tokens } = await createCalled();
    const { body } = await call('GET', '/orgs/org_other/spaces', { token: tokens.second });
    expect(body).toEqual({ items: [], count: 0 });
  });

  it('has no answer to a question, at once or streamed', async () => {
    const { call, get, tokens } = await createCalled();
    const question = { body: { query: 'Why?' }, token: tokens.first };
    expect(await call('POST', '/orgs/org_local/ask?format=markdown', question)).toEqual({
      status: 200,
      body: {},
    });
    const headers = { authorization: `Bearer ${tokens.first}` };
    const stream = await get('/api/v1/orgs/org_local/ask/stream?query=Why', { headers });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(await stream.text()).toBe('event: done\ndata: {}\n\n');
  });
});
