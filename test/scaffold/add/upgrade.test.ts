import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { platformVersion } from '../../../src/cli/context/version.js';
import { runCli } from '../../support/run-cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let cwd: string;
const upgrade = async (...options: string[]) => {
  const { code, stdout, stderr } = await runCli(['upgrade', '--json', ...options], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<'changes' | 'changed' | 'byHand', unknown[]> & { diff: string };
};
const write = (path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true });
  writeFileSync(join(cwd, path), text);
};
const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');

beforeEach(async () => {
  cwd = temporaryFolder();
  await runCli('init . --name hello -t blank -o acme'.split(' '), { cwd });
});

const dependency = (version: string): string => `{"devDependencies":{"integration-platform":"${version}"}}`;
const from = (module: string, code: string): string =>
  `import type {} from 'integration-platform/${module}';\n${code}`;

test.each([
  ['package.json', dependency('^0.2.0'), dependency(`^${platformVersion}`)],
  [
    'package.json',
    '{"scripts":{"w":"platform webhook worker"}}',
    '{"scripts":{"w":"platform-webhooks worker"}}',
  ],
  ['deploy.sh', 'npx platform dev --quiet --env-file ci.env', 'npx platform dev --quiet --dotenv ci.env'],
  ['.github/workflows/check.yml', 'run: platform dev --no-install', 'run: platform dev --not-installed'],
  ['platform.dev.yaml', 'port: 4100\nconsolePort: 4300\n', 'port: 4100\n'],
  ['test/a.test.ts', from('testing', 'let at: TestPlace;'), from('testing', 'let at: TestTarget;')],
  ['src/send.ts', from('webhooks', 'let at: EndpointPlace;'), from('webhooks', 'let at: EndpointTarget;')],
])(
  'shows what an earlier version called differently in %s, and rewrites it with --write',
  async (path, was, now) => {
    write(path, was);
    const shown = await upgrade();
    expect(shown).toMatchObject({ changes: [{ path, change: 'changed' }], byHand: [] });
    expect(shown.changed).toEqual([expect.stringMatching(new RegExp(`^${path}:\\d+ .`))]);
    expect(shown.diff).toContain(now.split('\n').at(-1));
    expect(read(path)).toBe(was);
    await upgrade('--write');
    expect(read(path)).toBe(now);
    expect(await upgrade()).toEqual({ changes: [], changed: [], byHand: [], diff: '', version: 1 });
  },
);

test.each([
  [
    'a.sh',
    'platform-webhooks worker \\\n  --name a\nplatform-webhooks status --database postgres://a/b',
    'a.sh:3 --database',
  ],
  ['package.json', dependency('file:vendor/integration-platform-0.2.0.tgz'), 'package.json:1 The project'],
  ['platform.dev.yaml', 'port: 4100\neditor: vim {path}', 'platform.dev.yaml:2 A project'],
  ['src/a.ts', from('webhooks', 'createMemoryDeliveryStore();'), 'src/a.ts:2 createMemoryDeliveryStore()'],
  ['src/a.ts', from('webhooks', 'add({ place: here })'), "src/a.ts:2 An endpoint's place"],
  ['src/a.ts', from('webhooks', 'class S implements DeliveryStore {}'), 'src/a.ts:2 recordOutcome'],
])('names the line of %s that only the author can change', async (path, text, note) => {
  write(path, text);
  expect(await upgrade('--write')).toMatchObject({ changes: [], byHand: [expect.stringContaining(note)] });
  expect(read(path)).toBe(text);
});

test.each([
  ['src/a.ts', 'type TestPlace = { place: string };'],
  ['node_modules/a/a.ts', from('testing', 'let at: TestPlace;')],
  ['package.json', dependency('file:../integration-platform.tgz')],
  ['platform.dev.yaml', 'editor: "cursor" # or vscode'],
  ['scripts/tool', Buffer.from([0xff, 0, 0xe4])],
])(
  'leaves %s alone if it does not use this package or is not a source of the project',
  async (path, text) => {
    write(path, text);
    expect(await upgrade()).toMatchObject({ changes: [], changed: [], byHand: [] });
  },
);

test('updates the types that an earlier version generated', async () => {
  write('platform-env.d.ts', '// an earlier format');
  expect((await upgrade('--write')).changes).toEqual([{ path: 'platform-env.d.ts', change: 'changed' }]);
});
