import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Action {
  inputs: Record<string, { default: string }>;
  runs: { steps: { name: string; if?: string; run: string; env: Record<string, string> }[] };
}

/** Runs the steps of the action as GitHub does: in order, in the workspace, until one fails. */
function runAction(workspace: string, given: Record<string, string>) {
  const { inputs, runs } = parse(read('action.yml')) as Action;
  const input = (name: string): string => given[name] ?? inputs[name]?.default ?? `no input ${name}`;
  const ran: { name: string; status: number | null; stdout: string }[] = [];
  for (const { name, if: condition = "'' == ''", run, env } of runs.steps) {
    const [, left = '', right] = /^(.*) == '(.*)'$/.exec(condition) ?? [];
    if ((left.startsWith('inputs.') ? input(left.slice('inputs.'.length)) : '') !== right) continue;
    const values = Object.entries(env).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, of: string) => input(of)),
    ]);
    const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd: workspace,
      env: { ...process.env, ...Object.fromEntries(values), CI: 'true', GITHUB_ACTIONS: 'true' },
      encoding: 'utf8',
    });
    ran.push({ name, status, stdout });
    if (status !== 0) break;
  }
  return ran;
}

test.each([
  ['passes', 'apps/hello', {}, ['Validate', 'Replay', 'Publish check'], undefined],
  [
    'passes without a check before publishing',
    '.',
    { 'publish-check': 'false' },
    ['Validate', 'Replay'],
    undefined,
  ],
  [
    'fails at an invalid manifest',
    'apps/my hello',
    {},
    ['Validate'],
    ['platform-manifest.yaml', 'public', 'publik'],
  ],
  [
    'fails at another response',
    'apps/hello',
    {},
    ['Validate', 'Replay'],
    ['src/counter.tsx', 'Pressed once', 'Clicked once'],
  ],
  [
    'fails at a private integration',
    'apps/hello',
    {},
    ['Validate', 'Replay', 'Publish check'],
    ['platform-manifest.yaml', 'visibility: public', 'visibility: private'],
  ],
] as const)('the action %s in the folder %s', async (_, folder, inputs, names, mistake) => {
  const workspace = temporaryFolder();
  const project = join(workspace, folder);
  const options = ['--template', 'block', '--organization', 'acme', '--visibility', 'public'];
  await runCli(['init', folder === '.' ? '.' : project, '--name', 'hello', ...options], { cwd: workspace });
  // A package of its own, or one for the whole repository.
  const installed = join(folder === 'apps/hello' ? project : workspace, 'node_modules');
  mkdirSync(join(installed, '.bin'), { recursive: true });
  symlinkSync(join(root, 'bin/platform.js'), join(installed, '.bin/platform'));
  symlinkSync(root, join(installed, 'integration-platform'));
  const [file, was, now] = mistake ?? [];
  if (file) {
    const path = join(project, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(was ?? '', now ?? ''));
  }
  const ran = runAction(workspace, { folder, ...inputs });
  expect(ran.map(({ name }) => name)).toEqual(names);
  const last = ran.at(-1);
  expect([last?.status, last?.stdout]).toEqual(
    file
      ? [1, expect.stringMatching(new RegExp(`^::error file=${folder}/${file},.*line=\\d+`, 'm'))]
      : [0, expect.not.stringContaining('::error')],
  );
});

test('the manifest schema has the form that SchemaStore takes: complete, compiled in strict mode, with examples', async () => {
  const { fileMatch, url } = JSON.parse(read('deploy/schemastore.json')) as {
    fileMatch: string[];
    url: string;
  };
  const schema = JSON.parse(read('schemas/platform-manifest.schema.json')) as object;
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile({ ...schema, $id: url });
  expect(fileMatch).toEqual(['platform-manifest.yaml']);
  expect(JSON.stringify(schema).match(/"\$ref":"[^#]/g)).toBeNull();
  const cwd = temporaryFolder();
  for (const template of ['block', 'oauth', 'events']) {
    await runCli(['init', template, '--template', template, '--organization', 'acme'], { cwd });
    expect(validate(parse(readFileSync(join(cwd, template, fileMatch[0] ?? ''), 'utf8'))), template).toBe(
      true,
    );
  }
});

test('builds a website of the README and the documentation, without broken links', () => {
  const site = join(temporaryFolder(), 'site');
  const words = [
    '--import',
    'tsx',
    'scripts/docs-site.ts',
    site,
    '--base-url',
    'https://docs.example.com/a/',
  ];
  const text = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  expect(text).toMatch(/^No problems in \d+ files\.$/m);
  expect(readFileSync(join(site, 'docs/fidelity/index.html'), 'utf8')).toContain('href="/a/CHANGELOG/"');
});
