import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Copies a fixture and installs this package, Vitest and TypeScript in it. The copy is removed after the test. */
export function authorProject(fixture: string): string {
  const folder = temporaryFolder();
  cpSync(join(root, 'test/fixtures/projects', fixture), folder, { recursive: true });
  linkPackages(folder);
  return folder;
}

/** Does the same for a new project from a template. */
export async function newProject(template: string): Promise<string> {
  const folder = temporaryFolder();
  const options = ['--template', template, '--organization', 'acme', '--quiet'];
  const { code, output } = await runIn(folder, [join(root, 'bin/platform.js'), 'init', 'own', ...options]);
  if (code !== 0) throw new Error(output);
  linkPackages(join(folder, 'own'));
  return join(folder, 'own');
}

function linkPackages(folder: string): void {
  for (const name of ['integration-platform', 'vitest', 'typescript', '@types/node']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(name === 'integration-platform' ? root : join(root, 'node_modules', name), link);
  }
}

export interface Ran {
  code: number;
  output: string;
}

/** Runs Node (or another program) in the project, without the environment variables of this test run. */
export const runIn = (folder: string, args: string[], program = process.execPath): Promise<Ran> => {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env: { PATH, HOME, NO_COLOR: '1' } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
};

export const vitest = ['node_modules/vitest/vitest.mjs', 'run'];

/** Writes a recipe from the guide: the code below a heading, with its file name in the first line. */
export function writeRecipe(folder: string, runner: string): void {
  const guide = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8');
  const [, section = ''] = guide.split(`\n### ${runner}\n`);
  const [, code = ''] = /```\w+\n(.*?)```/s.exec(section) ?? [];
  const [, file = ''] = /^\/\/ (\S+)\n/.exec(code) ?? [];
  rmSync(join(folder, 'test'), { recursive: true, force: true });
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, file), code);
}
