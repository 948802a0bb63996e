import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { allPages, isGuide } from './test/support/code-blocks.js';

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url));

const alias = [
  { find: /^integration-platform\/webhooks\/postgres$/, replacement: source('deliveries/index.ts') },
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
  'prove',
  'security',
  'windows',
  'workerd',
];

/** The other tests of deliveries, in its folders, need no server. */
const needPostgres = 'test/deliveries/*.test.ts';

/** Files that change globals and check that they were put back, or that replace a module, which other files also import. */
const isolated = [
  'test/recordings/changed-files.test.ts',
  'test/testing/{beside-others,cost,platform-around-a-test}.test.ts',
];

/** Starts with the files that take longest, so that none of them is left alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ project, moduleId }: TestSpecification): boolean =>
      ['guides', 'packages', 'install'].includes(project.name) || /kills|faults|schema-names/.test(moduleId);
    const [long, short] = [files.filter(isLong), files.filter((file) => !isLong(file))];
    return [...long, ...(await super.sort(short))];
  }
}

const guidePages = /docs\/guides\/[\w-]+\.md$/;

/** Makes each guide of the documentation a test file that runs it from top to bottom. */
const guidePlugin = {
  name: 'guides',
  transform: (_: string, file: string) =>
    guidePages.exec(file) && { code: guideTest(guidePages.exec(file)?.[0] ?? ''), map: null },
};

const guideTest = (page: string): string => `
import { expect, test } from 'vitest';
import { runGuide } from ${JSON.stringify(fileURLToPath(new URL('test/support/guide.ts', import.meta.url)))};

test('every step works', async () => {
  const { steps, files } = await runGuide('${page}');
  expect(steps + files).toBeGreaterThan(0);
});`;

export default defineConfig({
  resolve: { alias },
  oxc: { jsx: { runtime: 'automatic', importSource: 'integration-platform' } },
  test: {
    // They only end what hangs. On a slow machine, a test takes four times as long.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    unstubEnvs: true,
    unstubGlobals: true,
    // Many tests wait for processes, timeouts and browsers.
    maxWorkers: availableParallelism() + 2,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    maxConcurrency: 2,
    // The projects share what is transformed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...ownSuites.map((suite) => `test/${suite}/**`), needPostgres, ...isolated],
          // Most of the time of a small file is the import of what it tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'unit-isolated', include: isolated } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/{e2e,prove}/**/*.test.ts'],
          exclude: ['test/prove/{dead-rows,hour-of-faults,postgres-load,takeovers,webhook-fairness}.test.ts'],
          isolate: false,
          testTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          // All cases of the proofs, of which other suites run only the first, and what takes minutes to measure.
          name: 'prove',
          include: [
            'test/prove/**/*.test.ts',
            'test/browser/{block-reload,faults-at-a-glance,hostile,layout,scale}.test.ts',
            'test/content/{edit-tag,git-histories,insert-block,native-blocks}.test.ts',
            'test/e2e/{dev-server,recordings,several-integrations,webhook-backlog,webhook-kills}.test.ts',
            'test/emulator/http/listen.test.ts',
            'test/install/{new-projects,old-node,pre-commit,registry}.test.ts',
            'test/manifest/yaml/*.test.ts',
            'test/protocol/**/{envelope-mutations,signature-agreement}.test.ts',
            'test/deliveries/{backlogs,faults,kills,paused-installations,schema-names,simulated-histories,slow-names}.test.ts',
            'test/security/{connections,earlier-origins,init-kills,session-files}.test.ts',
            'test/simulation/queue/*.test.ts',
            'test/webhooks/{schedule,send/status-table}.test.ts',
            'test/workerd/{projects,recorded-projects,reliability}.test.ts',
          ],
          globalSetup: ['browser-server', 'packed', 'shared-postgres', '../workerd/install'].map(
            (file) => `test/support/${file}.ts`,
          ),
          fileParallelism: false,
          testTimeout: 1_800_000,
          env: { PROVE: '1' },
        },
      },
      {
        extends: true,
        plugins: [guidePlugin],
        test: {
          name: 'guides',
          include: [
            'test/guides/*.test.ts',
            ...allPages().filter((page) => guidePages.test(page) && isGuide(page)),
          ],
          // The guides share the declarations that their files are checked with.
          isolate: false,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          // Suites that install packages from the registry.
          name: 'install',
          include: ['test/install/**/*.test.ts'],
          globalSetup: 'test/support/packed.ts',
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: 'test/support/browser-server.ts',
          isolate: false,
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          isolate: false,
          testTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'windows',
          include: ['test/windows/**/*.test.ts'],
          globalSetup: 'test/windows/machines.ts',
          testTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [needPostgres],
          globalSetup: 'test/support/shared-postgres.ts',
          isolate: false,
          testTimeout: 180_000,
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
          isolate: false,
          testTimeout: 180_000,
        },
      },
    ],
  },
});
