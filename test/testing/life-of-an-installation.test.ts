import { createIntegration } from 'integration-platform';
import { createTestPlatform } from 'integration-platform/testing';
import { expect, test } from 'vitest';
import { formManifest, installForm } from './form-platform.js';
import { integration } from './integration.js';

test('creates an installation with any configuration and any ids', async () => {
  const platform = await createTestPlatform({ integration, manifest: formManifest() });
  await platform.install({
    configuration: { channel: '#docs', oauth_credentials: { access_token: 'token' }, kept: 1 },
    externalIds: ['T1'],
    sites: [{ id: 'site_local', configuration: { label: 'Help', more: true }, externalIds: ['S1'] }],
    spaces: ['space_local'],
  });
  expect(platform.environment({ site: 'site_local' })).toMatchObject({
    installation: {
      status: 'active',
      configuration: {
        channel: '#docs',
        color: 'red',
        kept: 1,
        oauth_credentials: { access_token: 'token' },
      },
      externalIds: ['T1'],
    },
    siteInstallation: { configuration: { label: 'Help', more: true }, externalIds: ['S1'] },
  });
  expect(platform.logs().map(({ text }) => text)).toEqual(['setup pending', 'setup active']);
  await platform.close();
});

test('pauses and resumes an installation, and removes it from one target at a time', async () => {
  const platform = await installForm();
  await platform.pause();
  expect(await platform.trigger({ type: 'space_view' })).toMatchObject({
    outcome: 'withheld',
    text: 'paused',
    status: 0,
  });
  expect((await platform.fetch('/')).status).toBe(503);
  await expect(platform.visit()).rejects.toThrow('The visit was not sent to the script: paused.');
  await platform.resume();
  expect((await platform.fetch('/')).status).toBe(200);

  await platform.uninstall({ site: 'site_local' });
  expect(() => platform.environment({ site: 'site_local' })).toThrow('not installed in site_local');
  await platform.uninstall();
  expect(platform.logs().slice(-2)).toMatchObject([{ text: 'deleted from site_local' }, { text: 'deleted' }]);
  await expect(platform.fetch('/')).rejects.toThrow('Nothing is installed. Call install() first.');
  await platform.install();
  expect((await platform.fetch('/')).status).toBe(200);
});

test('keeps the installations when the integration is upgraded to a new version', async () => {
  const platform = await installForm();
  await platform.configure({ channel: '#docs' });
  const before = platform.environment();
  const next = createIntegration({ fetch: async () => new Response('second') });
  await platform.upgrade({ integration: next });
  expect(await (await platform.fetch('/')).text()).toBe('second');
  const after = platform.environment();
  expect(after.integration.version).toBe(before.integration.version + 1);
  expect(after.installation?.configuration).toEqual(before.installation?.configuration);

  const fields = {
    name: 'form',
    title: 'Second form',
    description: 'Asks for more.',
    organization: 'acme',
    visibility: 'private',
    scopes: [],
    configurations: { account: { properties: { more: { type: 'string' } }, required: ['more'] } },
  };
  await platform.upgrade({ manifest: fields });
  expect(platform.integration.title).toBe('Second form');
  expect(platform.environment().installation?.status).toBe('pending');
  expect(await (await platform.fetch('/')).text()).toBe('second');

  const third = createIntegration({ fetch: async () => new Response('third') });
  const unreadable = platform.upgrade({ integration: third, manifest: { name: 'form' } });
  await expect(unreadable).rejects.toThrow('has errors');
  await platform.upgrade();
  expect(await (await platform.fetch('/')).text()).toBe('second');
  await platform.upgrade({ integration: third });
  expect(platform.integration.title).toBe('Second form');
  expect(await (await platform.fetch('/')).text()).toBe('third');
});

test('redirects a visitor who must sign in to a URL that the test can read', async () => {
  const platform = await installForm();
  const login = await platform.visit({ location: '/guide' });
  expect([login.status, login.headers.get('location')]).toEqual([
    302,
    'https://id.example.com/login?back=/guide&site=site_local',
  ]);
  expect((await platform.visit({ logout: true })).headers.get('location')).toBe(
    'https://id.example.com/logout',
  );
  const fired = await platform.trigger({ type: 'fetch_visitor_authentication', location: '/a' });
  expect(fired.headers.get('location')).toBe('https://id.example.com/login?back=/a&site=site_local');
});

test.each([
  [{ channel: '#other' }, '"#other" does not fit the property channel. It must be one of #docs, #news.'],
  [{ size: 'large' }, '"large" does not fit the property size. It must be a number.'],
  [{ colour: 'red' }, 'Unknown property: colour.'],
  [{ oauth_credentials: {} }, 'oauth_credentials is a button, so it has no value to enter. Call oauth()'],
])('rejects a configuration that a user cannot enter: %j', async (values, message) => {
  const platform = await installForm();
  await expect((async () => platform.configure(values))()).rejects.toThrow(message);
});

test.each([
  ['name', 7, '7 cannot be entered in the textinput bound to "name", which accepts a text.'],
  ['color', 'blue', '"blue" cannot be entered in the select bound to "color", which accepts "red".'],
  ['color', ['red'], 'which accepts the id of an option.'],
  ['pets', 'cat', 'which accepts a list of ids.'],
  ['on', 'yes', '"yes" cannot be entered in the switch bound to "on", which accepts true or false.'],
  ['size', 'l', '"l" cannot be entered in the radio bound to "size", which accepts "s", "m".'],
])('rejects a value that a user cannot enter: %s = %j', async (state, value, message) => {
  const platform = await installForm();
  const form = await platform.render('form');
  await expect(form.fill(state, value)).rejects.toThrow(message);
  await form.fill('pets', ['cat']);
  await form.fill('on', true);
  await form.fill('size', 'm');
  await form.fill('color', null);
  expect(form.state).toMatchObject({ pets: ['cat'], on: true, size: 'm' });
});

test('does not notify the component that opened a modal if the modal is dismissed', async () => {
  const platform = await installForm();
  const form = await platform.render('form', { props: { name: 'Ada' } });
  expect(() => form.dismiss()).toThrow('The component form is not a modal: only a modal can be dismissed.');
  await form.press('Rename');
  form.modal?.dismiss();
  expect(form.modal).toBeUndefined();
  expect(form.state).toMatchObject({ name: 'Ada', asked: 0 });
});

test('changes a space with an event, just as platform dev does', async () => {
  const platform = await installForm();
  await platform.trigger({ type: 'space_visibility_updated', visibility: 'unlisted' });
  await platform.trigger({ type: 'space_content_updated', revisionId: 'r7' });
  expect(await (await platform.fetch('/space')).json()).toMatchObject({
    visibility: 'unlisted',
    revision: 'r7',
  });
});

test('sends no webhook for an event of a paused installation', async () => {
  const platform = await installForm();
  await platform.webhook({ url: 'https://receiver.example/hook', events: ['space_content_updated'] });
  await platform.pause();
  expect(await platform.trigger({ type: 'space_content_updated' })).toMatchObject({ outcome: 'withheld' });
  await platform.resume();
  expect(await platform.deliveries()).toEqual([]);
});

test.each([
  [{ spaceId: 'space_other' }, 'is not installed in the space space_other. Known: space_local.'],
  [{ revisoinId: 'r1' }, 'has no field revisoinId. Known: eventId, '],
  [{ revisionId: 7 as unknown as string }, 'revisionId must be text, not 7.'],
])('rejects the same invalid events as platform dev: %j', async (fields, message) => {
  const platform = await installForm();
  const triggered = platform.trigger({ type: 'space_content_updated', ...fields });
  await expect(triggered).rejects.toThrow(message);
});

test('rejects an unknown event and lists the known ones', async () => {
  const platform = await installForm();
  const type = 'space_content_update' as 'space_content_updated';
  await expect((async () => platform.trigger({ type }))()).rejects.toThrow(
    'Unknown event: space_content_update. Known: installation_setup, ',
  );
});
