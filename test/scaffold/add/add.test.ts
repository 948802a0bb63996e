import { existsSync, mkdirSync, readFileSync, writeFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { loadManifest } from '../../../src/manifest/index.js';
import { inWriteOrder } from '../../../src/scaffold/add/apply-addition.js';
import { runCli } from '../../support/run-cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let cwd: string;
const platform = (command: string) => runCli(command.split(' '), { cwd });
const file = (path: string): string => join(cwd, path);
const read = (path: string): string => readFileSync(file(path), 'utf8');
const integration = () => {
  const loaded = loadManifest({ file: join(cwd, 'platform-manifest.yaml') });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  return loaded.value.integration;
};

beforeEach(async () => {
  cwd = temporaryFolder();
  await platform('init . --name hello -t blank -o acme');
});

test('adds a component to the project', async () => {
  const { code, stdout } = await platform('add component statusCard --title Status');
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'Changed platform-env.d.ts',
    'Changed platform-manifest.yaml',
    'Changed src/index.ts',
    'Created src/status-card.tsx',
    'Created test/status-card.test.ts',
    '',
  ]);
  expect(integration().blocks).toMatchObject([{ id: 'statusCard', title: 'Status' }]);
  expect(read('src/index.ts')).toContain("import { statusCard } from './status-card';");
  expect(read('src/index.ts')).toContain('components: [statusCard],');
  expect(read('platform-env.d.ts')).toContain("export type BlockId = 'statusCard';");
  expect((await platform('types --check')).code).toBe(0);
});

test('writes the manifest after the code that it refers to', () => {
  const change = (path: string, kind: 'created' | 'changed') => ({
    path,
    change: kind,
    before: '',
    after: '',
  });
  const changes = [
    change('platform-manifest.yaml', 'changed'),
    change('src/index.tsx', 'changed'),
    change('src/ticket.tsx', 'created'),
  ];
  expect(inWriteOrder(changes).map(({ path }) => path)).toEqual([
    'src/ticket.tsx',
    'src/index.tsx',
    'platform-manifest.yaml',
  ]);
});

test('leaves no files behind if one of the files cannot be written', async () => {
  const files = ['platform-env.d.ts', 'platform-manifest.yaml', 'src/index.ts'];
  const before = files.map(read);
  rmSync(join(cwd, 'test'), { recursive: true });
  writeFileSync(join(cwd, 'test'), 'a file');
  const { code, stderr } = await platform('add component statusCard');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Could not write test/status-card.test.ts.')]);
  expect(files.map(read)).toEqual(before);
  expect(existsSync(join(cwd, 'src/status-card.tsx'))).toBe(false);
});

test('adds the scope that an event needs along with the event', async () => {
  await platform('add event site_view');
  await platform('add event space_visibility_updated');
  expect(integration().scopes).toEqual(['site:views:read']);
  expect(read('src/index.ts')).toContain(
    'site_view: onSiteView,\n    space_visibility_updated: onSpaceVisibilityUpdated,',
  );
  expect(read('src/on-site-view.ts')).toContain('onSiteView(event: SiteViewEvent)');
});

test('asks the author to register a second handler for the same event manually', async () => {
  const { stdout } = await platform('add event installation_setup');
  expect(stdout).toContain(
    'To do by hand:\n  - In the entry file, import onInstallationSetup from ./on-installation-setup',
  );
  expect(read('src/index.ts')).not.toContain('onInstallationSetup');
});

test('adds a button, secrets and a route for OAuth', async () => {
  const { stdout } = await platform('add oauth');
  expect(stdout).toContain('platform dev --oauth-provider local');
  expect(integration().configurations.account).toMatchObject({
    properties: { oauth_credentials: { type: 'button', callback_url: '/oauth' } },
    required: ['oauth_credentials'],
  });
  expect(read('src/index.ts')).toContain(
    "if (routePath(request, context.environment) === '/oauth') return connect(request, context);",
  );
  expect(read('.env')).toMatch(/^CLIENT_ID=client_[0-9a-f]{32}\nCLIENT_SECRET=secret_[0-9a-f]{32}$/m);
  expect(read('.env.example')).toMatch(/^CLIENT_ID=\nCLIENT_SECRET=$/m);
});

test('adds a secret without changing other lines', async () => {
  writeFileSync(join(cwd, '.env'), 'OTHER=1');
  writeFileSync(join(cwd, 'platform-manifest.yaml'), `${read('platform-manifest.yaml')}# the end\n`);
  const { stdout } = await platform('add secret API_KEY');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    "createTestPlatform({ integration, secrets: { API_KEY: 'test' } })",
  );
  expect(read('.env')).toBe('OTHER=1\nAPI_KEY=\n');
  expect(read('platform-manifest.yaml')).toMatch(
    /icon: .*\n\nsecrets:\n {2}API_KEY: \$\{\{ env\.API_KEY \}\}\n# the end\n$/,
  );
});

test('writes secret values to a file that only its owner can read', async () => {
  rmSync(join(cwd, '.env'));
  await platform('add secret API_KEY');
  expect(read('.env')).toContain('API_KEY=');
  expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
});

test('adds a configuration property', async () => {
  await platform('add configuration limit --type number --section site --required --title Limit');
  expect(integration().configurations.site).toEqual({
    properties: { limit: { type: 'number', title: 'Limit' } },
    required: ['limit'],
  });
});

test.each([
  ['mode --enum fast,exact', { type: 'string', title: 'Mode', enum: ['fast', 'exact'] }],
  ['mode --completion-url /modes', { type: 'string', title: 'Mode', completion_url: '/modes' }],
  [
    'mode --callback-url /oauth --title Connect',
    { type: 'button', title: 'Connect', button_text: 'Connect', callback_url: '/oauth' },
  ],
])('adds the configuration property "%s"', async (options, property) => {
  expect((await platform(`add configuration ${options}`)).code).toBe(0);
  expect(integration().configurations.account?.properties).toEqual({ mode: property });
});

test('adds a scope once', async () => {
  const before = integration().scopes;
  expect((await platform('add scope openapi:read')).code).toBe(0);
  expect(integration().scopes).toEqual([...before, 'openapi:read']);
});

test('writes no files in a dry run', async () => {
  const before = read('src/index.ts');
  await platform('add component card --dry-run');
  expect(read('src/index.ts')).toBe(before);
  expect(integration().blocks).toEqual([]);
});

test('never shows the values in .env', async () => {
  writeFileSync(join(cwd, '.env'), 'OTHER=canary\n');
  const { stdout, stderr } = await platform('add oauth --dry-run');
  expect(stdout + stderr).not.toMatch(/canary|client_[0-9a-f]/);
});

test.each([
  ['add event fetch', 'Unknown event: "fetch".'],
  ['add component 1st', 'A component cannot be called "1st".'],
  ['add component new', 'A component cannot be called "new".'],
  ['add component aux', 'A component cannot be called "aux".'],
  ['add component Класс', 'A component cannot be called "Класс".'],
  ['add component card --title \t', 'blocks[0].title is empty.'],
  ['add secret 9', 'Use the name of an environment variable, such as API_KEY.'],
  ['add scope openapi:reed', 'Did you mean openapi:read?'],
  ['add configuration a --enum x --completion-url /x', 'both say where the values come from'],
  ['add configuration a --enum x --type number', 'A number has no values to choose from.'],
  ['add configuration a --type button', 'A button needs --callback-url.'],
  ['add configuration a --callback-url /x --type string', 'Only a button has --callback-url, not a string.'],
  ['add configuration a-b', 'A property cannot be called "a-b".'],
])('rejects the command "%s"', async (command, message) => {
  const { code, stderr } = await platform(command);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  ['component card', 'already has a block card, on line LINE.', 'id: card'],
  ['scope openapi:read', 'already has the scope openapi:read, on line LINE.', '- openapi:read'],
  ['secret KEY', 'already has a secret KEY, on line LINE.', 'KEY: '],
  ['configuration channel', 'already has a property channel, on line LINE.', 'channel:'],
  ['oauth', 'already has a property oauth_credentials, on line LINE.', 'oauth_credentials:'],
  ['event space_view', 'The file src/on-space-view.ts already exists.', ''],
])('rejects a name that is already in use and shows its line: %s', async (piece, words, where) => {
  await platform(`add ${piece}`);
  const lines = read('platform-manifest.yaml').split('\n');
  const line = lines.findIndex((text) => text.includes(where)) + 1;
  const { code, stderr } = await platform(`add ${piece}`);
  expect(code).toBe(2);
  const start = where === '' ? '' : 'platform-manifest.yaml ';
  expect(stderr).toContain(start + words.replace('LINE', String(line)));
});

test('accepts a property that has the name of an inherited method', async () => {
  expect((await platform('add configuration constructor')).code).toBe(0);
});

test.each([
  ['add secret API_KEY', '.env', 'PASSWORD=p\xe4ssword\n'],
  ['add event site_view', 'src/index.ts', '// p\xe4ssword\n'],
  ['upgrade --write', 'deploy.sh', '# p\xe4ssword\nplatform dev --env-file .env\n'],
  ['upgrade --write', 'Makefile', 'p\0platform dev --env-file .env\n'],
])('"%s" writes nothing if %s is not UTF-8', async (command, path, text) => {
  writeFileSync(file(path), text, 'latin1');
  const manifest = read('platform-manifest.yaml');
  const { code, stderr } = await platform(command);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} is not UTF-8`)]);
  expect([readFileSync(file(path), 'latin1'), read('platform-manifest.yaml')]).toEqual([text, manifest]);
});

test.each(['add event site_view', 'add secret KEY'])('reports the path in the way of "%s"', async (piece) => {
  const path = piece.includes('secret') ? '.env.example' : 'src/on-site-view.ts';
  rmSync(file(path), { force: true });
  mkdirSync(file(path));
  const before = read('platform-manifest.yaml');
  const { code, stderr } = await platform(piece);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`Could not write ${path}. A folder with that name already exists.`),
  ]);
  expect(read('platform-manifest.yaml')).toBe(before);
});

test('reports outdated types and generates them', async () => {
  writeFileSync(join(cwd, 'platform-env.d.ts'), '// old\n');
  const stale = await platform('types --check');
  expect(stale.code).toBe(1);
  expect(stale.stdout).toContain('-// old\n');
  expect((await platform('types')).stdout).toBe('Wrote platform-env.d.ts.\n');
  expect((await platform('types --check --json')).stdout).toBe(
    '{"version":1,"file":"platform-env.d.ts","fits":true,"written":false}\n',
  );
});

test('ignores differences in line endings when comparing types', async () => {
  writeFileSync(join(cwd, 'platform-env.d.ts'), read('platform-env.d.ts').replaceAll('\n', '\r\n'));
  expect((await platform('types --check')).code).toBe(0);
  rmSync(join(cwd, 'platform-env.d.ts'));
  const { code, stderr } = await platform('types --check');
  expect([code, stderr]).toEqual([1, 'File not found: platform-env.d.ts. Create it with: platform types\n']);
});
