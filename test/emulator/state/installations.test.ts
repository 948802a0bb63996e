import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import type { Integration } from '../../../src/protocol/integration.js';
import { createMemoryStore } from '../../../src/store/store.js';
import { createSample, startSample, integration } from '../emulator-under-test.js';

const withApiKey: Integration = {
  ...integration,
  configurations: {
    account: {
      properties: {
        key: { type: 'string' },
        retries: { type: 'number', default: 3 },
        mode: { type: 'string', enum: ['fast', 'safe'] },
      },
      required: ['key', 'mode'],
    },
  },
};

it('installs the integration into the organization, the space and the site', async () => {
  const { events } = await startSample();
  expect(events()).toMatchObject([
    { type: 'installation_setup', installationId: 'installation_1', status: 'pending' },
    { type: 'installation_setup', status: 'active', previous: { status: 'pending', configuration: {} } },
    { type: 'space_installation_setup', spaceId: 'space_local', status: 'active' },
    { type: 'site_installation_setup', siteId: 'site_local', status: 'active' },
  ]);
  expect(events()[0]).not.toHaveProperty('previous');
});

it.each([
  ['site', ['installation_setup', 'installation_setup', 'site_installation_setup']],
  ['space', ['installation_setup', 'installation_setup', 'space_installation_setup']],
] as const)('skips targets that an integration for a %s does not support', async (target, expected) => {
  const { types } = await startSample(undefined, { integration: { ...integration, target } });
  expect(types()).toEqual(expected);
});

it('sends the setup events only on the first start, and keeps the state', async () => {
  const store = createMemoryStore(systemClock);
  const first = await startSample(undefined, { store, integration: withApiKey });
  await first.emulator.configure({ installation: 'installation_1' }, { set: { key: 'k' } });
  const token = first.calls[0]?.environment.apiTokens.installation;

  const second = await startSample(undefined, { store, integration: withApiKey });
  expect(second.calls).toEqual([]);
  await second.get('/v1/integrations/sample/installations/installation_1');
  expect(second.calls[0]?.environment.installation?.configuration).toEqual({ key: 'k', retries: 3 });
  expect(second.calls[0]?.environment.apiTokens.installation).toBe(token);
});

it('does not install the integration if the author chose to install it manually', async () => {
  const { calls } = await startSample(undefined, { noInstall: true });
  expect(calls).toEqual([]);
});

it('keeps an installation pending until each required property is set and valid', async () => {
  const { emulator, events } = await startSample(undefined, { integration: withApiKey });
  const target = { installation: 'installation_1' };
  await emulator.configure(target, { set: { key: 'secret' } });
  await emulator.configure(target, { set: { mode: 'wrong' } });
  await emulator.configure(target, { set: { mode: 'fast' } });
  await emulator.configure(target, { set: { retries: '5' } });
  await emulator.configure(target, { unset: ['key'] });
  const setups = events().filter(({ type }) => type === 'installation_setup');
  expect(setups.map((event) => 'status' in event && event.status)).toEqual([
    'pending',
    'pending',
    'pending',
    'active',
    'active',
    'pending',
  ]);
  expect(setups.at(-1)).toMatchObject({
    previous: { status: 'active', configuration: { key: 'secret', mode: 'fast', retries: 5 } },
  });
});

it('lists the known properties if a property is unknown', async () => {
  const { emulator } = await startSample(undefined, { integration: withApiKey });
  expect(() => emulator.configure({}, { set: { kye: 'x' } })).toThrow(
    'Unknown property: kye. Properties of configurations.account in the manifest: key, retries, mode.',
  );
});

it('ignores inherited object keys, but accepts declared properties with the same names', async () => {
  const { emulator } = await startSample(undefined, {
    integration: {
      ...integration,
      configurations: {
        account: { properties: { ['constructor' as string]: { type: 'string' } }, required: ['constructor'] },
      },
    },
  });
  expect(() => emulator.configure({}, { set: { toString: 'x' } })).toThrow('Unknown property: toString');
  expect(() => emulator.configure({}, { unset: ['valueOf'] })).toThrow('Unknown property: valueOf');
  expect(emulator.environment({ installation: 'installation_1' })?.installation?.status).toBe('pending');
  await emulator.configure({}, { set: { constructor: 'x' } });
  expect(emulator.environment({ installation: 'installation_1' })?.installation).toMatchObject({
    status: 'active',
    configuration: { constructor: 'x' },
  });
});

it('adds the default values when reading a configuration, but does not store the defaults', async () => {
  const { emulator, calls, control, get } = await startSample(undefined, { integration: withApiKey });
  await emulator.configure({}, { set: { key: 'k', mode: 'fast' } });
  const { environment } = calls.findLast(({ event }) => event.type === 'installation_setup') ?? {};
  expect(environment?.installation).toMatchObject({
    status: 'active',
    configuration: { key: 'k', mode: 'fast', retries: 3 },
  });
  const path = '/api/v1/integrations/sample/installations/installation_1';
  const headers = { authorization: `Bearer ${environment?.apiTokens.integration}` };
  const stored = await (await get(path, { headers })).json();
  expect(stored).toMatchObject({ configuration: { key: 'k', mode: 'fast' } });
  expect(stored.configuration).toEqual({ key: 'k', mode: 'fast' });
  // The omitted property has a default, so the installation stays active.
  const body = JSON.stringify({ configuration: { key: 'other', mode: 'safe' } });
  expect(await (await get(path, { method: 'PATCH', headers, body })).json()).toMatchObject({
    status: 'active',
    configuration: { key: 'other', mode: 'safe' },
  });
  expect((await control('GET', '/configuration')).body).toMatchObject({
    status: 'active',
    configuration: { key: 'other', mode: 'safe', retries: 3 },
  });
  emulator.pause('installation_1');
  expect((await control('GET', '/configuration')).body).toMatchObject({ status: 'paused' });
});

it('treats a configuration as complete if the only missing required property has a default', async () => {
  const { emulator } = await startSample(undefined, {
    integration: {
      ...integration,
      configurations: {
        account: { properties: { size: { type: 'number', default: 3 } }, required: ['size'] },
      },
    },
  });
  await emulator.configure({}, { unset: ['size'] });
  expect(emulator.environment({ installation: 'installation_1' })?.installation).toMatchObject({
    status: 'active',
    configuration: { size: 3 },
  });
});

it('accepts any values if a component manages the configuration', async () => {
  const { emulator, events } = await startSample(undefined, {
    integration: {
      ...integration,
      configurations: { site: { properties: {}, required: [], componentId: 'settings' } },
    },
  });
  const site = { site: 'site_local' };
  await emulator.configure(site, { set: { issuer: 'https://acme.example', claims: true } });
  expect(events().at(-1)).toMatchObject({ type: 'site_installation_setup', status: 'active' });
  await emulator.configure(site, { unset: ['claims'] });
  expect(events().at(-1)).toMatchObject({
    previous: { configuration: { issuer: 'https://acme.example', claims: true } },
  });
});

it('rechecks a configuration when the manifest changes', async () => {
  const { emulator, events, happened } = await startSample();
  emulator.reload(withApiKey);
  await emulator.settled();
  expect(events().at(-1)).toMatchObject({
    type: 'installation_setup',
    status: 'pending',
    previous: { status: 'active', configuration: {} },
  });
  expect(happened.find((event) => event.type === 'warning' && event.code === 'pending')).toMatchObject({
    message: expect.stringMatching(
      /^installation_1 is now pending, because of key, mode\. Set it with: platform config set \w+=<value>$/,
    ),
  });
});

it('suggests connecting an account, not setting a value, if a button is required', async () => {
  const { emulator, happened } = await startSample();
  const connection = {
    type: 'button',
    title: 'Account',
    button_text: 'Connect',
    callback_url: '/oauth',
  } as const;
  const account = { properties: { connection }, required: ['connection'] };
  emulator.reload({ ...integration, configurations: { account } });
  await emulator.settled();
  expect(happened.find((event) => event.type === 'warning' && event.code === 'pending')).toMatchObject({
    message: expect.stringMatching(/of connection\. Connect it in the console: platform open configuration$/),
  });
});

it('reports a changed integration name and the new public endpoint', async () => {
  const { emulator, happened } = await startSample();
  emulator.reload({ ...integration, name: 'other' });
  expect(happened.find((event) => event.type === 'warning' && event.code === 'renamed')).toMatchObject({
    message: expect.stringContaining(
      'now other instead of sample. Its public endpoint is now http://127.0.0.1:4100/v1/integrations/other/installations/installation_1',
    ),
  });
});

it.each([
  ['private', undefined, 'A private integration can be installed only in its own organization.'],
  ['unlisted', undefined, 'An unlisted integration can be installed only with its install link.'],
  ['unlisted', 'wrong', 'An unlisted integration can be installed only with its install link.'],
] as const)('lets no other organization install %s with the link "%s"', async (visibility, link, message) => {
  const { emulator } = createSample(undefined, { integration: { ...integration, visibility } });
  const request = { organization: 'org_other', ...(link && { link }) };
  await expect(emulator.install(request)).rejects.toThrow(message);
});

it('lets any organization install a public integration', async () => {
  const { emulator, types } = createSample(undefined, {
    integration: { ...integration, visibility: 'public' },
  });
  expect(await emulator.install({ organization: 'org_other' })).toBe('installation_1');
  expect(types()).toEqual(['installation_setup', 'installation_setup']);
});

it('sends the configuration of a removed installation to the script', async () => {
  const { emulator, events, calls } = await startSample(undefined, { integration: withApiKey });
  await emulator.configure({}, { set: { key: 'k', mode: 'safe' } });
  await emulator.remove('installation_1', 'space', 'space_local');
  expect(events().at(-1)).toMatchObject({
    type: 'space_installation_deleted',
    installationId: 'installation_1',
    spaceId: 'space_local',
    previous: { configuration: {} },
  });
  expect(calls.at(-1)?.environment).not.toHaveProperty('spaceInstallation');
  await emulator.remove('installation_1', 'site', 'site_local');
  expect(events().at(-1)).toMatchObject({ type: 'site_installation_deleted', siteId: 'site_local' });
  await emulator.uninstall('installation_1');
  expect(events().at(-1)).toMatchObject({
    type: 'installation_deleted',
    previous: { configuration: { key: 'k', mode: 'safe' } },
  });
  expect(calls.at(-1)?.environment.installation?.id).toBe('installation_1');
  await expect(emulator.uninstall('installation_1')).rejects.toThrow('Unknown installation');
});

it('sends no events to a paused installation, and derives its status from the configuration on resume', async () => {
  const { emulator, calls, get } = await startSample(undefined, { integration: withApiKey });
  emulator.pause('installation_1');
  const before = calls.length;
  const fired = await emulator.configure({}, { set: { key: 'k', mode: 'safe' } });
  expect(fired).toMatchObject({ outcome: 'withheld', reason: 'paused' });
  expect(calls.length).toBe(before);
  emulator.resume('installation_1');
  await get('/v1/integrations/sample/installations/installation_1');
  expect(calls.at(-1)?.environment.installation?.status).toBe('active');
});
