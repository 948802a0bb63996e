import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The value of a constant or a property in a source file. It must be a product of numbers. */
function constant(file: string, name: string): number {
  const assignment = new RegExp(`\\b${name}(?:: number)?(?: =|:) (\\d[\\d_.* ]*)`);
  const [, value = ''] = assignment.exec(read(`src/${file}`)) ?? [];
  const factors = value.replaceAll('_', '').replace('1024 ** 2', '1024 * 1024').split('*').map(Number);
  return factors.reduce((product, factor) => product * factor, 1);
}

const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const inWords = (value: number): string => words[value] ?? `${value}`;
const inDigits = (value: number): string => value.toLocaleString('en');
const kib = (bytes: number): number => bytes / 1024;
const mib = (bytes: number): number => bytes / 1024 / 1024;
const seconds = (ms: number): number => ms / 1000;

/** The limits that the guides state in sentences, and the constants that they come from. */
test.each<[guide: string, file: string, name: string, text: (value: number) => string]>([
  ['agents', 'mcp/answer/pack-answer.ts', 'mostTokens', (most) => `about ${inDigits(most)} tokens`],
  ['ci', 'diagnostics/report/render-github.ts', 'limit', (most) => `at most ${inWords(most)} problems`],
  [
    'debugging',
    'cli/commands/dev/session-options.ts',
    'debuggerPort',
    (port) => `on port ${port} by default`,
  ],
  [
    'testing',
    'sandbox/observe/disguise-request.ts',
    'LONGEST_DISGUISED',
    (bytes) => `Bodies over ${kib(bytes)} KiB can't be searched`,
  ],
  [
    'oauth',
    'emulator/oauth/codes-and-tokens.ts',
    'most',
    (most) => `${most} codes and the most recent ${most} refresh`,
  ],
  ['publishing', 'publish/packed/unpack.ts', 'maxFiles', (most) => `up to ${most} regular files`],
  ['publishing', 'publish/packed/unpack.ts', 'maxPackBytes', (bytes) => `and ${mib(bytes)} MiB of data`],
  ['recordings', 'recordings/file/recording.ts', 'LARGEST_FILE', (bytes) => `up to ${mib(bytes)} MB`],
  ['recordings', 'sandbox/observe/body-budgets.ts', 'CALL_BYTES', (bytes) => `${mib(bytes)} MB per call`],
  ['recordings', 'store/model/store-limits.ts', 'bodyBytes', (bytes) => `the most recent ${mib(bytes)} MB`],
  [
    'debugging',
    'store/model/store-limits.ts',
    'entries',
    (most) => `the most recent ${inDigits(most)} calls`,
  ],
  [
    'recordings',
    'sandbox/observe/beginning-of-body.ts',
    'KEPT_BYTES',
    (bytes) => `Bodies of up to ${mib(bytes)} MB`,
  ],
  ['running', 'dev/follow-content.ts', 'pauseMs', (ms) => `a saved file after ${ms} ms`],
  ['running', 'dev/follow-content.ts', 'heartbeatMs', (ms) => `within ${inWords(seconds(ms))} seconds`],
  ['running', 'dev/check-pages.ts', 'mostAtStart', (most) => `the first ${inDigits(most)} pages`],
  [
    'running',
    'content/page/markdown-reader.ts',
    'mostTags',
    (most) => `more than ${inDigits(most)} tags or link`,
  ],
  [
    'running',
    'content/page/parse-page.ts',
    'references',
    (most) => `more than ${inDigits(most)} tags or link`,
  ],
  ['running', 'content/page/markdown-reader.ts', 'deepest', (most) => `more than ${most} levels deep`],
  ['running', 'content/page/inline-nodes.ts', 'deepest', (most) => `more than ${most} levels deep`],
  [
    'running',
    'content/page/parse-page.ts',
    'ms',
    (ms) => (ms === 500 ? 'more than half a second' : `${ms} ms`),
  ],
  ['running', 'content/folder/read-file-facts.ts', 'mostBytes', (bytes) => `pages over ${mib(bytes)} MB`],
  ['runtimes', 'emulator/calls/headroom.ts', 'NEAR', (share) => `more than ${share * 100}% of a limit`],
  ['runtimes', 'sandbox/workerd/production-runtime.ts', 'MEMORY_MB', (mb) => `allocates more than ${mb} MB`],
  [
    'runtimes',
    'sandbox/runner/call-with-deadline.ts',
    'defaultTimeoutMs',
    (ms) => `| ${inDigits(ms)}, or the`,
  ],
  [
    'scaling',
    'deliveries/command/metrics-server.ts',
    'longestMs',
    (ms) => `more than ${seconds(ms)} seconds)`,
  ],
  ['scaling', 'deliveries/model/tables.ts', 'laneCount', (count) => `divided into ${count} lanes`],
  [
    'scaling',
    'deliveries/model/body-limit.ts',
    'defaultMaxBodyBytes',
    (bytes) => `up to ${mib(bytes)} MB** of`,
  ],
  [
    'scaling',
    'deliveries/command/parse-values.ts',
    'largestBytes',
    (bytes) => `up to ${mib(bytes)} MB if you raise`,
  ],
  [
    'secrets',
    'protocol/secret-spellings.ts',
    'shortestSecret',
    (most) => `fewer than ${inWords(most)} characters`,
  ],
  [
    'secrets',
    'manifest/check/manifest-environments.ts',
    'maxEnvironments',
    (most) => `up to ${most} environments`,
  ],
  ['site', 'content/find-passages.ts', 'mostPassages', (most) => `quotes up to ${inWords(most)} pages`],
  ['site', 'dev/follow-content.ts', 'pauseMs', (ms) => `no file has changed for ${ms} ms`],
  ['site', 'site/server/navigation.tsx', 'mostOpen', (most) => `up to ${most} pages, the navigation`],
  ['site', 'site/server/reader-actions.ts', 'mostEachSecond', (most) => `at most ${most} views and ratings`],
  [
    'site',
    'site/server/render-blocks.tsx',
    'mostAtOnce',
    (most) => `requests up to ${most} blocks at a time`,
  ],
  ['site', 'site/server/render-blocks.tsx', 'patienceMs', (ms) => `for up to ${seconds(ms)} seconds`],
  ['site', 'protocol/page/page-blocks.ts', 'mostBlocks', (most) => `the first ${most} blocks of a page`],
  ['troubleshooting', 'base/node/too-many-headers.ts', 'most', (most) => `more than ${most} headers`],
  ['troubleshooting', 'dev/open-ports.ts', 'first', (port) => `between ${port} and`],
  ['troubleshooting', 'dev/open-ports.ts', 'last', (port) => `and ${port}. This message`],
  ['troubleshooting', 'emulator/http/listen.ts', 'headKiB', (kibibytes) => `accept up to ${kibibytes} KiB`],
])('the %s guide and %s agree on %s', (guide, file, name, text) => {
  expect(read(`docs/guides/${guide}.md`).replaceAll(/\s+/g, ' ')).toContain(text(constant(file, name)));
});
