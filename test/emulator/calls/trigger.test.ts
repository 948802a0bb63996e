import { expect, it } from 'vitest';
import type { InstallTarget } from '../../../src/emulator/state/script-environments.js';
import { eventTypes } from '../../../src/protocol/sample-events.js';
import { configured, createControlled } from '../http/controlled.js';

it('handles a triggered event after the events that were sent before it', async () => {
  const { control, events } = await createControlled();
  const request = {
    type: 'site_view',
    set: { 'visitor.ip': '198.51.100.9', 'visitor.cookies.theme': 'dark' },
  };
  expect(await control('POST', '/events', request)).toMatchObject({
    status: 200,
    body: {
      event: { type: 'site_view', siteId: 'site_local', installationId: 'installation_1' },
      fired: { outcome: 'ok', status: 200, body: { encoding: 'utf-8', content: 'OK' } },
    },
  });
  expect(events().at(-1)).toMatchObject({ visitor: { ip: '198.51.100.9', cookies: { theme: 'dark' } } });
});

it.each([
  [{ type: 'site_view' }, 'space_local'],
  [{ type: 'site_view', space: 'space_local' }, 'space_local'],
  [{ type: 'page_feedback' }, 'space_local'],
  [{ type: 'site_view', space: 'space_other' }, undefined],
  [{ type: 'site_view', site: 'site_local' }, undefined],
])("sends a site's event only to installations in the site's spaces: %j", async (request, space) => {
  const { control, calls, emulator } = await createControlled();
  await emulator.remove('installation_1', 'site', 'site_local');
  const before = calls.length;
  const { status } = await control('POST', '/events', request);
  expect(status).toBe(space === undefined ? 409 : 200);
  expect(calls.slice(before).map(({ environment }) => environment.spaceInstallation?.space)).toEqual(
    space === undefined ? [] : [space],
  );
  expect(calls.slice(before).some(({ environment }) => environment.siteInstallation)).toBe(false);
});

it.each([
  [{ type: 'fetch_published_script' }, { site: 'site_local' }],
  [{ type: 'fetch_published_script', space: 'space_local' }, { space: 'space_local' }],
  [{ type: 'fetch_visitor_authentication', space: 'space_local' }, { space: 'space_local' }],
  [{ type: 'content_compute_revision', space: 'space_local' }, { space: 'space_local' }],
  [{ type: 'task', site: 'site_local' }, { site: 'site_local' }],
  [{ type: 'task' }, {}],
  [{ type: 'installation_setup', space: 'space_local' }, {}],
])('sends an event to the given site or space: %j', async (request, { site, space }: InstallTarget) => {
  const { control, calls } = await createControlled();
  expect(await control('POST', '/events', request)).toMatchObject({ status: 200 });
  const { environment } = calls.at(-1) ?? {};
  expect([environment?.siteInstallation?.site, environment?.spaceInstallation?.space]).toEqual([site, space]);
});

it('uses the first declared content source', async () => {
  const contentSources = [{ id: 'changelog' }, { id: 'glossary' }];
  const { control } = await createControlled({ integration: { ...configured, contentSources } });
  const { body } = await control('POST', '/events', { type: 'content_compute_revision' });
  expect(body).toMatchObject({ event: { sourceId: 'changelog' } });
});

it.each([
  [{}, 400, { path: 'type' }],
  [{ type: 'site_veiw' }, 400, { path: 'type', known: expect.arrayContaining(['site_view']) }],
  [
    { type: 'site_view', set: { 'visitor.pi': 'x' } },
    400,
    { path: 'visitor.pi', known: expect.arrayContaining(['ip']) },
  ],
  [{ type: 'site_view', set: { 'visitor.ip': 4 } }, 400, { path: 'visitor.ip' }],
  [{ type: 'site_view', set: { 'a..b': 4 } }, 400, { path: 'a..b' }],
  [{ type: 'site_view', set: { '__proto__.x': 4 } }, 400, { path: '__proto__' }],
  [{ type: 'site_view', site: 'site_other' }, 409, { code: 'not-installed' }],
  [{ type: 'site_view', space: 'space_other' }, 409, { code: 'not-installed', known: ['space_local'] }],
  [{ type: 'installation_setup', site: 'site_other' }, 409, { code: 'not-installed' }],
  [{ type: 'space_view', installation: 'installation_7' }, 404, {}],
])('rejects the trigger request %j', async (request, status, details) => {
  const { control } = await createControlled();
  expect(await control('POST', '/events', request)).toMatchObject({ status, body: details });
});

it("withholds an event if scopes are enforced and the event's scope is missing", async () => {
  const { control, calls, store } = await createControlled({ scopes: 'enforce' });
  const before = calls.length;
  const { status, body } = await control('POST', '/events', { type: 'site_view' });
  expect({ status, body }).toMatchObject({ status: 403, body: { code: 'missing-scope' } });
  expect(calls.length).toBe(before);
  expect(store.callLog.list().at(-1)?.call.outcome).toBe('withheld');
});

it('lists each event with a valid sample', async () => {
  const { control } = await createControlled();
  const { body } = await control<{ type: string; sample?: object }[]>('GET', '/events');
  expect(body.map(({ type }) => type).toSorted()).toEqual(eventTypes.toSorted());
  expect(body.every(({ sample }) => sample !== undefined)).toBe(true);
});
