import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openReplayedProject } from '../../../src/recordings/open-replayed-project.js';
import { replayFile } from '../../../src/recordings/replay-file.js';
import { replayInNode } from '../../../src/sandbox/node/replay-in-node.js';
import { templates } from '../../../src/scaffold/index.js';
import { replayProgram } from '../../support/child-program.js';
import { runCli } from '../../support/run-cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const projects = templates.flatMap(({ name }) => ['ts', 'js'].map((language) => [name, language] as const));

test.each(projects)('the recording of %s in %s matches what its script does', async (template, language) => {
  const cwd = temporaryFolder();
  const answers = ['--organization', 'acme', '--name', 'Ticket-links', '--title', 'Tickets "and" \\links'];
  const argv = ['init', 'new', '--template', template, '--language', language, ...answers];
  const { code, stderr } = await runCli(argv, { cwd });
  expect(code, stderr).toBe(0);
  const folder = join(cwd, 'new');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/integration-platform'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const opened = await openReplayedProject({
    file: join(folder, 'platform-manifest.yaml'),
    node: process.execPath,
    package: { folder: root, version },
  });
  const run = replayInNode({ node: process.execPath, childFile: await replayProgram(), version });
  const [name = '', ...others] = readdirSync(join(folder, 'recordings'));
  expect(others).toEqual([]);
  const file = join(folder, 'recordings', name);
  const replayed = await replayFile(file, { ...opened, run }, { update: true });
  expect(replayed.results.flatMap(({ differences }) => differences)).toEqual([]);
  expect(replayed.results.length).toBeGreaterThan(0);
  expect(replayed.updated).toBe(false);
  expect(replayed.recording.platform).toBe(version);
  const ownTest = readFileSync(join(folder, `test/recordings.test.${language}`), 'utf8');
  expect(ownTest).toContain(`replayRecording('recordings/${name}')`);
});

test("a new project's recording refers to the schema in the installed package", async () => {
  const cwd = temporaryFolder();
  await runCli(['init', 'new', '--template', 'block', '--organization', 'acme'], { cwd });
  const recording = JSON.parse(readFileSync(join(cwd, 'new/recordings/press.json'), 'utf8')) as {
    $schema: string;
  };
  expect(recording.$schema).toBe('../node_modules/integration-platform/schemas/recording.schema.json');
});
