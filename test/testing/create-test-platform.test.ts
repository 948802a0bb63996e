import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { formText } from './form-platform.js';
import { integration } from './integration.js';
import { sharedFolder, temporaryFolder, writeFiles } from '../support/temporary-folder.js';

const folder = sharedFolder();
const manifest = join(folder, 'platform-manifest.yaml');
writeFileSync(
  manifest,
  formText(`configurations:
  account:
    properties:
      channel: { type: string, title: Channel }
      color: { type: string, title: Colour, default: red }
    required: [channel]
secrets:
  KEY: \${{ env.KEY }}
`),
);

let platform: TestPlatform;
beforeEach(async () => {
  platform = await createTestPlatform({ integration, manifest, secrets: { KEY: 'canary-key' } });
});
afterEach(() => platform.close());

const logged = (): string[] => platform.logs().map(({ text }) => text);

test('keeps an installation pending until its configuration is complete', async () => {
  await platform.install();
  expect(logged()).toEqual(['setup pending']);
  expect(platform.environment().installation).toMatchObject({
    status: 'pending',
    configuration: { color: 'red' },
  });
  expect(await platform.configure({ channel: '#docs' })).toMatchObject({ outcome: 'ok', status: 200 });
  expect(logged()).toEqual(['setup pending', 'setup active']);
  expect(platform.environment().installation?.configuration).toEqual({ color: 'red', channel: '#docs' });
});

test('accepts the manifest as an object', async () => {
  const fields = {
    name: 'given',
    title: 'Given',
    description: 'Stands in the test.',
    organization: 'acme',
    visibility: 'private',
    scopes: [],
    configurations: { account: { properties: { color: { type: 'string', default: 'red' } } } },
  };
  const own = await createTestPlatform({ integration, manifest: fields });
  onTestFinished(own.close);
  await own.install();
  expect(own.environment()).toMatchObject({
    integration: { name: 'given' },
    installation: { status: 'active', configuration: { color: 'red' } },
  });
  await expect(
    createTestPlatform({ integration, manifest: { ...fields, visibility: 'all' } }),
  ).rejects.toThrow('The visibility "all" does not exist.');
});

test('creates an installation with its configuration', async () => {
  await platform.install({ configuration: { channel: '#docs' }, sites: [] });
  expect(platform.environment().installation?.status).toBe('active');
  expect(() => platform.environment({ site: 'site_local' })).toThrow(
    'The integration is not installed in site_local.',
  );
});

test('sends requests to the endpoints of the installation, its sites and its spaces', async () => {
  await platform.install();
  const ask = async (...args: Parameters<TestPlatform['fetch']>) => (await platform.fetch(...args)).json();
  expect(await ask('/a?b=c')).toEqual({ path: '/a', key: 'canary-key' });
  expect(await ask('a', { site: 'site_local' })).toMatchObject({ path: '/a', site: 'site_local' });
  expect(await ask('/', { space: 'space_local' })).toMatchObject({ path: '/', space: 'space_local' });
});

test.each([
  [{ type: 'space_view' }, { outcome: 'ok', status: 200 }],
  [
    { type: 'space_view', url: 'https://docs.example.com/boom' },
    {
      outcome: 'failed',
      status: 500,
      text: '{"error":"Internal server error"}',
      error: expect.stringMatching(/^Error: boom \(.*integration\.tsx:\d+:\d+\)$/),
    },
  ],
  [
    { type: 'space_content_updated', revisionId: 'r1' },
    { outcome: 'no-handler', status: 406 },
  ],
] as const)('sends the event %j', async (event, expected) => {
  await platform.install();
  expect(await platform.trigger(event)).toMatchObject(expected);
});

test('does not count a request to the management API as an outbound request', async () => {
  await platform.install();
  expect(await (await platform.fetch('/space')).json()).toMatchObject({ title: 'Local space' });
  expect(platform.outbound()).toEqual([]);
});

test("includes the script's error and line number in the response to a failed request", async () => {
  await platform.install();
  const failed = await platform.fetch('/boom');
  expect({ status: failed.status, error: failed.error }).toEqual({
    status: 500,
    error: expect.stringMatching(/^Error: boom in fetch [(]\S*integration[.]tsx:\d+:\d+[)]$/),
  });
  const { status, error } = await platform.fetch('/says?hello');
  expect({ status, error }).toEqual({ status: 200, error: undefined });
});

test('sends webhooks and retries them when they are due', async () => {
  const statuses = [503, 200];
  const signatures: (string | null)[] = [];
  platform.stub('https://receiver.example/hook', (request) => {
    signatures.push(request.headers.get('X-Platform-Signature'));
    return new Response('', { status: statuses.shift() ?? 500 });
  });
  await platform.install();
  await platform.webhook({ url: 'https://receiver.example/hook', events: ['space_content_updated'] });
  await platform.trigger({ type: 'space_content_updated', eventId: 'evt_1' });
  const [first] = await platform.deliveries();
  expect(first).toMatchObject({ type: 'space_content_updated', eventId: 'evt_1', attempts: 1 });
  await platform.clock.advance(1_200);
  await platform.settled();
  const [second] = await platform.deliveries();
  expect(second).toMatchObject({ attempts: 2, state: 'delivered' });
  expect(signatures).toEqual([expect.stringMatching(/^t=\d+,v1=/), expect.stringMatching(/^t=\d+,v1=/)]);
});

test('reads a component, fills in its inputs and clicks its buttons', async () => {
  await platform.install();
  const form = await platform.render('form', { props: { name: 'Ada' } });
  expect(form.text().split('\n')).toEqual(['Asked 0 times', 'Name', 'Save', 'Off', 'Rename', 'Fail']);

  await form.press('Ask again');
  expect(form.text()).toContain('Asked 1 time\n');
  await form.fill('name', 'https://example.com/');
  expect(form.state).toMatchObject({ name: 'https://example.com/', asked: 1, color: 'none' });
  await form.fill('color', 'red');
  expect(form.state).toMatchObject({ name: 'https://example.com/', color: 'chosen' });
  await form.press('link');
  expect(form.openedUrl).toBe('https://example.com/');

  await form.press('Save');
  expect(form.open).toBe(false);
  expect(form.returnValue).toEqual({ name: 'https://example.com/' });
  expect(() => form.text()).toThrow('The component form is closed.');
});

test('accepts only options that the script lists for a select with a URL', async () => {
  await platform.install();
  const form = await platform.render('form');
  await form.fill('city', 'rome');
  expect(form.state).toMatchObject({ city: 'rome' });
  await form.fill('city', null);
  await expect(form.fill('city', 'paris')).rejects.toThrow(
    '"paris" cannot be entered in the select bound to "city", which accepts "oslo", "rome".',
  );
  await expect(form.fill('city', 'down')).rejects.toThrow('/cities responded with 503 instead of');
  expect(form.state).toMatchObject({ city: null });
});

test('shows the current value of bound text, and selects grouped menu entries', async () => {
  await platform.install();
  const notes = await platform.render('notes');
  expect(notes.text()).toBe('Hello\nlet a;');
  await notes.press('Delete');
  expect(notes.text()).toBe('Pressed Delete\nlet a;');
  await expect(notes.press('Paste')).rejects.toThrow('The buttons and cards are "Copy", "Move", "Delete".');
});

test("returns a modal's value to the component that opened the modal", async () => {
  await platform.install();
  const form = await platform.render('form', { props: { name: 'Ada' } });
  await form.press('Rename');
  expect(form.modal?.text()).toBe('Rename Ada\nOK');
  await form.modal?.fill('name', 'Grace');
  await form.modal?.press('OK');
  expect(form.modal).toBeUndefined();
  expect(form.state).toMatchObject({ name: 'Grace' });
});

test('lists the available names if a name is unknown', async () => {
  await platform.install();
  const form = await platform.render('form');
  await expect(form.press('Nothing')).rejects.toThrow(
    'No button or card has the label "Nothing". The buttons and cards are "Ask again", "Save", "Off", "link", "Rename", "Fail".',
  );
  await expect(form.press('Off')).rejects.toThrow('"Off" is disabled.');
  await expect(form.fill('age', 1)).rejects.toThrow(
    'No input is bound to the state "age". The inputs are bound to "name", "color", "city", "pets", "on", "size", "size", "locked".',
  );
  await expect(form.fill('locked', 1)).rejects.toThrow('The input bound to "locked" is disabled.');
  await expect(form.press('Fail')).rejects.toThrow(
    'The component form could not be rendered: No colour left.',
  );
  await expect(platform.render('other')).rejects.toThrow('The component other could not be rendered');
});

test.each([
  [{ secrets: { KEI: 'x' } }, `${manifest} declares no secret KEI. It declares KEY.`],
  [{ manifest: join(folder, 'none') }, 'has errors'],
])('rejects the platform options %j', async (options, message) => {
  await expect(createTestPlatform({ integration, manifest, ...options })).rejects.toThrow(message);
});

test('runs several platforms at the same time', async () => {
  const other = await createTestPlatform({ integration, manifest });
  await platform.install();
  expect(other.logs()).toEqual([]);
  await other.install();
  expect(other.logs()).toHaveLength(1);
  expect(platform.logs()).toHaveLength(1);
  await other.close();
});

test('uses the spaces and sites from platform.dev.yaml, just as platform dev does', async () => {
  const settings = join(folder, 'platform.dev.yaml');
  writeFileSync(settings, 'sites: [{ id: site_help, title: Help }]\n');
  onTestFinished(() => rmSync(settings));
  const other = await createTestPlatform({ integration, manifest });
  await other.install();
  expect(other.environment({ site: 'site_help' }).siteInstallation?.site).toBe('site_help');
  await other.close();

  writeFileSync(settings, 'sitse: []\n');
  await expect(createTestPlatform({ integration, manifest })).rejects.toThrow(
    'platform.dev.yaml has errors:\n  1:1 Unknown field "sitse".',
  );
});

test('adds a webhook without a target to the first space in platform.dev.yaml', async () => {
  const settings = join(folder, 'platform.dev.yaml');
  onTestFinished(() => rmSync(settings));
  writeFileSync(settings, 'spaces: [{ id: space_own, title: Own }]\n');
  const own = await createTestPlatform({ integration, manifest });
  onTestFinished(() => own.close());
  own.stub('https://receiver.example/hook', () => new Response());
  await own.install();
  await own.webhook({ url: 'https://receiver.example/hook', events: ['space_content_updated'] });
  await own.trigger({ type: 'space_content_updated' });
  expect(await own.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
});

test("masks secrets in the script's logs, but no other words", async () => {
  await platform.install();
  await platform.fetch('/says?this test has canary-key');
  expect(logged()).toContain('says this test has •••');
});

test('builds the script of a project for another platform, whose packages may require Node modules', async () => {
  const place = temporaryFolder();
  writeFiles(place, {
    'acme-manifest.yaml': formText('script: index.js\n'),
    'index.js': `import hash from './hash.cjs';
      export default { fetch: () => new Response(hash('a')) };`,
    'hash.cjs': `const { createHash } = eval("require('node:crypto')");
      module.exports = (text) => createHash('sha1').update(text).digest('hex');`,
  });
  const own = await createTestPlatform({ manifest: join(place, 'acme-manifest.yaml') });
  onTestFinished(own.close);
  await own.install();
  expect(await (await own.fetch('/')).text()).toBe('86f7e437faa5a7fce15d1ddcb9eaeaea377667b8');
});

test('looks for the manifest in the current folder if it gets no options', async () => {
  await expect(createTestPlatform()).rejects.toThrow('platform-manifest.yaml');
});
