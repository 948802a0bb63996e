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
  runs: { steps: { name: string; run: string; env: { FOLDER: string } }[] };
}

test.each([
  ['Validate', 'platform-manifest.yaml', 'visibility: private', 'visibility: privat'],
  ['Replay', 'src/counter.tsx', 'Pressed once', 'Clicked once'],
  ['Publish check', 'src/index.tsx', 'import', "import 'node:fs';\nimport"],
])(
  'the step %s of the action passes, and shows a mistake in %s on its line',
  async (name, file, was, mistake) => {
    const cwd = temporaryFolder();
    await runCli('init apps/hello --template block --organization acme'.split(' '), { cwd });
    const folder = join(cwd, 'apps/hello');
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join(root, 'bin/platform.js'), join(folder, 'node_modules/.bin/platform'));
    symlinkSync(root, join(folder, 'node_modules/integration-platform'));
    const publicManifest = readFileSync(join(folder, 'platform-manifest.yaml'), 'utf8');
    const { runs } = parse(read('action.yml')) as Action;
    const { run, env } = runs.steps.find((step) => step.name === name) ?? { run: '', env: { FOLDER: '' } };
    expect(env.FOLDER).toBe('${{ inputs.folder }}');
    const step = () =>
      spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
        cwd,
        env: { ...process.env, FOLDER: 'apps/hello', GITHUB_ACTIONS: 'true' },
        encoding: 'utf8',
      });
    if (name === 'Publish check')
      writeFileSync(join(folder, 'platform-manifest.yaml'), publicManifest.replace('private', 'public'));
    expect(step()).toMatchObject({ status: 0 });
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(was, mistake));
    const { status, stdout } = step();
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^::error file=apps/hello/${file},.*line=\\d+`, 'm')),
    ]);
  },
);

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

test('the site of the documentation has no broken links but those to files of the repository', () => {
  const words = ['site', 'check', 'docs', '--json'];
  const text = execFileSync(process.execPath, [join(root, 'bin/platform.js'), ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(text) as { diagnostics: { message: string }[] };
  expect(
    diagnostics.filter(({ message }) => !/(README|SECURITY|CONTRIBUTING|CHANGELOG)\.md/.test(message)),
  ).toEqual([]);
});
