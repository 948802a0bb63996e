import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The last version that runs on Node 20. */
const version = '9.5.1';
/** Stryker itself, the results of the last run, and the reports. Git ignores this folder. */
const folder = '.mutation';

/** Why the arguments are not valid, or undefined if they name a room. */
export function usageProblem(args: readonly string[], rooms: readonly string[]): string | undefined {
  if (args.length === 1 && rooms.includes(args[0] ?? '')) return undefined;
  const problem =
    args.length === 0
      ? 'Missing argument: the room to test.'
      : args.length > 1
        ? `Got ${args.length} rooms. Name one room: a run takes minutes.`
        : `There is no room "${args[0]}" with tests.`;
  return `${problem}\nUsage: npm run test:mutation <room>\nRooms: ${rooms.join(', ')}`;
}

/** Rooms have the same name in `src` and in `test`. */
export function testedRooms(): string[] {
  return readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(`test/${entry.name}`))
    .map(({ name }) => name);
}

function strykerConfig(room: string): object {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
    mutate: [`src/${room}/**/*.{ts,tsx}`, '!src/**/generated/**'],
    ignorePatterns: [folder, 'dist', 'coverage', '*.tgz'],
    // Templates contain placeholders that no parser accepts.
    disableTypeChecks: `src/${room}/**/*.{ts,tsx}`,
    // A constant that is read only while the module loads is not covered by any single test.
    ignoreStatic: true,
    tempDirName: `${folder}/work`,
    incremental: true,
    incrementalFile: `${folder}/${room}-incremental.json`,
    reporters: ['progress-append-only', 'clear-text', 'html'],
    htmlReporter: { fileName: `${folder}/${room}.html` },
    clearTextReporter: { allowColor: false, logTests: false },
    // Most of a run is waiting for tests that hang.
    concurrency: 4,
    // A mutant that loops is found late rather than a slow test taken for one.
    timeoutMS: 20_000,
    checkers: [],
  };
}

/** Next to the project's own node_modules, so that Stryker's runner finds the project's vitest. */
function installStryker(): void {
  if (existsSync(`${folder}/node_modules/.stryker-${version}`)) return;
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
  const options = ['--no-save', '--no-package-lock', '--legacy-peer-deps', '--ignore-scripts'];
  execFileSync('npm', ['install', '--prefix', folder, ...options, ...packages], { stdio: 'inherit' });
  writeFileSync(`${folder}/node_modules/.stryker-${version}`, '');
}

function run(args: readonly string[]): void {
  const problem = usageProblem(args, testedRooms());
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 2;
    return;
  }
  const room = args[0] ?? '';
  mkdirSync(folder, { recursive: true });
  installStryker();
  writeFileSync(`${folder}/${room}.json`, JSON.stringify(strykerConfig(room)));
  const stryker = `${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`;
  const { status } = spawnSync(process.execPath, [stryker, 'run', `${folder}/${room}.json`], {
    stdio: 'inherit',
    env: { ...process.env, MUTATION_ROOM: room },
  });
  process.exitCode = status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(process.argv.slice(2));
