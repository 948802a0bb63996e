import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedFolder } from '../support/temporary-folder.js';

const platform = fileURLToPath(new URL('../../bin/platform.js', import.meta.url));
const main = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));

const root = realpathSync(sharedFolder());

/** What V8 loads instead of the command, because it checks only the length of the source. */
const plantedCache = execFileSync(process.execPath, [
  '-e',
  `const hostile = "(function (require, module) { module.exports.main = async () => { console.log('planted'); return 0; }; })";
  const [file] = process.argv.slice(1);
  const size = require('fs').statSync(file).size;
  const script = new (require('vm').Script)(hostile.padEnd(size, ' '), { filename: file });
  const module = { exports: {} };
  // Functions are part of a cache once they have run.
  console.log = () => {};
  script.runInThisContext()(require, module);
  module.exports.main();
  process.stdout.write(script.createCachedData());`,
  main,
]);

const cacheName = (command: string): string => {
  const { size, mtimeMs } = statSync(main);
  return `${process.version}-${process.arch}-${size}-${Math.trunc(mtimeMs)}${command}.cache`;
};

const commands = ['validate', '--version'];

/** Plants caches of two commands in a folder, which is made as an archive with modes would make it. */
function plant(caches: string): string {
  const folder = join(caches, 'integration-platform');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const command of commands)
    writeFileSync(join(folder, cacheName(command)), plantedCache, { mode: 0o600 });
  return caches;
}

const run = (command: string, cwd: string, env: NodeJS.ProcessEnv): string => {
  const { XDG_CACHE_HOME: _, LOCALAPPDATA: __, ...rest } = process.env;
  try {
    return execFileSync(process.execPath, [platform, command, '.'], {
      cwd,
      env: { ...rest, HOME: join(root, 'no-home'), ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
};

/** A project, and a folder next to it that no project contains. */
let count = 0;
function workspace(mark?: string): { project: string; outside: string } {
  const base = join(root, String((count += 1)));
  const project = join(base, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  if (mark === '.git') mkdirSync(join(project, mark));
  else if (mark !== undefined) writeFileSync(join(project, mark), '{}');
  const outside = join(base, 'outside');
  mkdirSync(outside);
  return { project, outside };
}

interface Attack {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

const attacks: Record<string, () => Attack> = {
  'a relative folder': () => {
    const { project } = workspace('.git');
    plant(join(project, '.cache'));
    return { cwd: project, env: { XDG_CACHE_HOME: '.cache' } };
  },
  'a relative folder above the current one': () => {
    const { project, outside } = workspace();
    plant(outside);
    return { cwd: project, env: { XDG_CACHE_HOME: '../outside' } };
  },
  'a folder in the current one': () => {
    const { project } = workspace();
    return { cwd: project, env: { XDG_CACHE_HOME: plant(join(project, '.cache')) } };
  },
  'a folder in the repository, from a folder in it': () => {
    const { project } = workspace('.git');
    return { cwd: join(project, 'src'), env: { XDG_CACHE_HOME: plant(join(project, '.cache')) } };
  },
  'a folder in a repository, from outside': () => {
    const { project, outside } = workspace('.git');
    return { cwd: outside, env: { XDG_CACHE_HOME: plant(join(project, '.cache')) } };
  },
  'a folder in a worktree or submodule, whose .git is a file': () => {
    const { project, outside } = workspace();
    writeFileSync(join(project, '.git'), 'elsewhere');
    return { cwd: outside, env: { XDG_CACHE_HOME: plant(join(project, '.cache')) } };
  },
  'a folder in an unpacked project without Git': () => {
    const { project, outside } = workspace('package.json');
    return { cwd: outside, env: { XDG_CACHE_HOME: plant(join(project, '.cache')) } };
  },
  'a folder next to a manifest': () => {
    const { project, outside } = workspace('platform-manifest.yaml');
    return { cwd: outside, env: { XDG_CACHE_HOME: plant(join(project, 'a/b/.cache')) } };
  },
  'the project as home': () => {
    const { project } = workspace('.git');
    plant(join(project, '.cache'));
    return { cwd: project, env: { HOME: project } };
  },
  'LOCALAPPDATA in the project': () => {
    const { project } = workspace('.git');
    return { cwd: project, env: { LOCALAPPDATA: plant(join(project, 'AppData')) } };
  },
  'a path with dots into the project': () => {
    const { project, outside } = workspace('.git');
    plant(join(project, '.cache'));
    return { cwd: project, env: { XDG_CACHE_HOME: `${outside}/../project/.cache` } };
  },
  'a link into the project': () => {
    const { project, outside } = workspace('.git');
    symlinkSync(plant(join(project, '.cache')), join(outside, 'caches'));
    return { cwd: project, env: { XDG_CACHE_HOME: join(outside, 'caches') } };
  },
  'a link in place of the folder itself': () => {
    const { project, outside } = workspace('.git');
    symlinkSync(
      join(plant(join(project, '.cache')), 'integration-platform'),
      join(outside, 'integration-platform'),
    );
    return { cwd: project, env: { XDG_CACHE_HOME: outside } };
  },
  'a folder that others may read (as Git makes it)': () => {
    const { project, outside } = workspace();
    chmodSync(join(plant(outside), 'integration-platform'), 0o755);
    return { cwd: project, env: { XDG_CACHE_HOME: outside } };
  },
  'a folder that others may write to': () => {
    const { project, outside } = workspace();
    chmodSync(join(plant(outside), 'integration-platform'), 0o777);
    return { cwd: project, env: { XDG_CACHE_HOME: outside } };
  },
  'a parent that others may write to': () => {
    const { project, outside } = workspace();
    const caches = plant(join(outside, 'open'));
    chmodSync(outside, 0o777);
    return { cwd: project, env: { XDG_CACHE_HOME: caches } };
  },
  ...(isRoot && {
    'a folder of another user': () => {
      const { project, outside } = workspace();
      chownSync(join(plant(outside), 'integration-platform'), nobody, nobody);
      return { cwd: project, env: { XDG_CACHE_HOME: outside } };
    },
    'a parent of another user': () => {
      const { project, outside } = workspace();
      chownSync(plant(outside), nobody, nobody);
      return { cwd: project, env: { XDG_CACHE_HOME: outside } };
    },
  }),
};

test('neither runs a planted code cache nor writes one into a project', () => {
  const ran: string[] = [];
  for (const [name, prepare] of Object.entries(attacks)) {
    const { cwd, env } = prepare();
    // Twice, because the first run may change the folder.
    for (const command of [...commands, '--version'])
      if (run(command, cwd, env).includes('planted')) ran.push(`${name}: ${command}`);
  }
  const tries = Object.keys(attacks).length;
  console.log(
    `code cache: ${tries - new Set(ran.map((text) => text.split(':')[0])).size} of ${tries} planted caches ignored`,
  );
  expect(ran).toEqual([]);

  const { project } = workspace('.git');
  run('--version', project, { XDG_CACHE_HOME: '.cache' });
  run('--version', join(project, 'src'), { XDG_CACHE_HOME: join(project, '.cache') });
  expect(readdirSync(project).toSorted()).toEqual(['.git', 'src']);
});

test("uses the code cache in the user's own folder", () => {
  const { project, outside } = workspace('.git');
  plant(outside);
  for (const command of commands)
    expect(run(command, project, { XDG_CACHE_HOME: outside })).toBe('planted\n');

  const home = join(outside, 'home');
  mkdirSync(home);
  expect(run('--version', project, { HOME: home })).toMatch(/^\d/);
  const folder = join(home, '.cache/integration-platform');
  expect(readdirSync(folder)).toEqual([cacheName('--version')]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('clears the code cache of an earlier version before using its folder', () => {
  const { project, outside } = workspace('.git');
  const folder = join(plant(outside), 'integration-platform');
  chmodSync(folder, 0o755);
  expect(run('--version', project, { XDG_CACHE_HOME: outside })).toMatch(/^\d/);
  expect(readdirSync(folder)).toEqual([cacheName('--version')]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(run('--version', project, { XDG_CACHE_HOME: outside })).toMatch(/^\d/);
});
