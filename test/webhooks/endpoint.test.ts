import { expect, it } from 'vitest';
import { createBench, siteEndpoint } from './dispatcher-under-test.js';

const ok = (): Response => Response.json({ received: true });

const space = { type: 'space', id: 's' } as const;
const site = { type: 'site', id: 's' } as const;
it.each([
  [{ url: '' }, 'needs a URL'],
  [{ url: 'receiver.test/hook' }, 'not an http or https URL'],
  [{ url: 'ftp://receiver.test/' }, 'not an http or https URL'],
  [{ url: 'http://me:secret@receiver.test/' }, 'user name or password'],
  [{ events: [] }, 'at least one event type: site_view or page_feedback'],
  [{ events: ['site_view', 'space_content_updated'] }, 'space_content_updated cannot be sent from a site'],
  [
    { target: space, events: ['site_view'] },
    'site_view cannot be sent from a space; space_content_updated can',
  ],
  [{ target: site, events: ['ping'] }, 'ping cannot be sent from a site'],
  [{ secret: '' }, 'secret must not be empty'],
])('rejects an endpoint with %j', async (more, words) => {
  const { dispatcher } = await createBench(ok);
  const refusal = { code: 'invalid-endpoint', message: expect.stringContaining(words) };
  await expect(dispatcher.endpoints.add(siteEndpoint(more))).rejects.toMatchObject(refusal);
  expect(dispatcher.endpoints.list()).toHaveLength(1);
});

it('applies several changes to an endpoint in order, and finds it by its id', async () => {
  const { dispatcher, endpoint } = await createBench(ok);
  await Promise.all([
    dispatcher.endpoints.update(endpoint.id, { url: 'http://new.test/' }),
    dispatcher.endpoints.update(endpoint.id, { enabled: false }),
    expect(dispatcher.endpoints.update(endpoint.id, { events: [] })).rejects.toMatchObject({
      code: 'invalid-endpoint',
    }),
  ]);
  expect(dispatcher.endpoints.get(endpoint.id)).toEqual({
    ...endpoint,
    url: 'http://new.test/',
    enabled: false,
  });
  expect(() => dispatcher.endpoints.get('whe_0')).toThrow('Unknown webhook endpoint: whe_0.');
});

it('sends a ping to test an endpoint', async () => {
  const { dispatcher, endpoint, sent, pass } = await createBench(ok);
  const { eventId } = await dispatcher.endpoints.ping(endpoint.id);
  await pass(0);
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ eventId, type: 'ping', installationId: 'ins' });
});
