import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url));

const alias = [
  { find: /^integration-platform\/webhooks\/postgres$/, replacement: source('store/postgres/index.ts') },
  { find: /^integration-platform$/, replacement: source('runtime/index.ts') },
  { find: /^integration-platform\/(jsx-runtime|jsx-dev-runtime)$/, replacement: source('runtime/$1.ts') },
  { find: /^integration-platform\/webhooks$/, replacement: source('webhooks/node/index.ts') },
  { find: /^integration-platform\/testing$/, replacement: source('testing/index.ts') },
];

const ownSuites = [
  'browser',
  'e2e',
  'fixtures',
  'guides',
  'install',
  'packages',
  'postgres',
  'security',
  'soak',
  'workerd',
];

/** Files that change globals and check that they were put back, or that replace a module, which other files also import. */
const isolated = [
  'test/recordings/changed-files.test.ts',
  'test/sandbox/in-process-host.test.ts',
  'test/testing/**/*.test.ts',
];

export default defineConfig({
  resolve: { alias },
  oxc: { jsx: { runtime: 'automatic', importSource: 'integration-platform' } },
  test: {
    testTimeout: 20_000,
    unstubEnvs: true,
    unstubGlobals: true,
    // Vitest leaves one core free, which on two cores is half of them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...ownSuites.map((suite) => `test/${suite}/**`), ...isolated],
          // Most of the time of a small file is the import of what it tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'unit-isolated', include: isolated } },
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          // Each guide of the documentation, run from top to bottom.
          name: 'guides',
          include: ['test/guides/**/*.test.ts'],
          testTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          // Suites that install packages from the registry.
          name: 'install',
          include: ['test/install/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: 'test/support/browser-server.ts',
          // What is measured is measured alone.
          fileParallelism: false,
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          // Attacks are timed, so they run one file at a time.
          fileParallelism: false,
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/postgres/**/*.test.ts'],
          globalSetup: 'test/support/shared-postgres.ts',
          // What is measured is measured alone.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        // It installs packages, in a folder of its own.
        test: {
          name: 'packages',
          include: ['test/packages/**/*.test.ts'],
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'workerd',
          include: ['test/workerd/**/*.test.ts'],
          globalSetup: 'test/workerd/install.ts',
          testTimeout: 60_000,
        },
      },
      { extends: true, test: { name: 'soak', include: ['test/soak/**/*.test.ts'], testTimeout: 1_800_000 } },
    ],
  },
});
