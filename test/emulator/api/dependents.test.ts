import { expect, it } from 'vitest';
import type { Dependent } from '../../../src/contract/routes/installations.js';
import { createCalled } from '../calls/called.js';

it('lists what else is removed when an installation is removed from a site or uninstalled', async () => {
  const { call, control, emulator, tokens } = await createCalled();
  const to = 'http://127.0.0.1:1';
  await control('POST', '/webhooks', { site: 'site_local', url: `${to}/site`, events: ['site_view'] });
  const events = ['space_content_updated'];
  await control('POST', '/webhooks', { space: 'space_local', url: `${to}/space`, events });
  for (let n = 0; n < 2; n += 1) await control('POST', '/events', { type: 'site_view' });
  for (let n = 0; n < 2; n += 1) emulator.insertBlock({ component: 'counter', props: {} });
  const body = { task: { type: 'poll' }, schedule: 60 };
  await call('POST', '/integrations/sample/tasks', { body, token: tokens.first });
  await control('PATCH', '/configuration', { set: { key: 'ops' } });

  const listed = async (query: string): Promise<string[]> => {
    const path = `/installations/installation_1/dependents${query}`;
    const { body: dependents } = await control<Dependent[]>('GET', path);
    return dependents.map(({ what, names }) => `${what}: ${names.join(', ')}`);
  };
  const own = ['its configuration: ', 'its public endpoint: '];
  expect(await listed('?site=site_local')).toEqual([
    ...own,
    `1 webhook endpoint: ${to}/site`,
    '2 pending deliveries: ',
  ]);
  expect(await listed('?space=space_local')).toEqual([...own, `1 webhook endpoint: ${to}/space`]);
  expect(await listed('')).toEqual([
    'its configuration: key',
    'its public endpoint: ',
    '1 site: Local site',
    '1 space: Local space',
    `2 webhook endpoints: ${to}/site, ${to}/space`,
    '2 pending deliveries: ',
    '2 blocks: counter',
    '1 queued task: poll',
  ]);
  expect((await control('GET', '/installations/installation_9/dependents')).status).toBe(404);
});
