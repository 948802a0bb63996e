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
  ['agents', 'mcp/answer/pack-answer.ts', 'mostTokens', (n) => `about ${inDigits(n)} tokens`],
  ['ci', 'diagnostics/report/render-github.ts', 'limit', (n) => `at most ${inWords(n)} problems`],
  ['debugging', 'cli/commands/dev/session-options.ts', 'debuggerPort', (n) => `on port ${n} by default`],
  [
    'testing',
    'sandbox/observe/disguise-request.ts',
    'LONGEST_DISGUISED',
    (n) => `Bodies over ${kib(n)} KiB can't be searched`,
  ],
  [
    'oauth',
    'emulator/oauth/codes-and-tokens.ts',
    'most',
    (n) => `${n} codes and the most recent ${n} refresh`,
  ],
  ['publishing', 'publish/packed/unpack.ts', 'maxFiles', (n) => `up to ${n} regular files`],
  ['publishing', 'publish/packed/unpack.ts', 'maxPackBytes', (n) => `and ${mib(n)} MiB of data`],
  ['recordings', 'recordings/file/recording.ts', 'LARGEST_FILE', (n) => `up to ${mib(n)} MB`],
  ['recordings', 'sandbox/observe/body-budgets.ts', 'CALL_BYTES', (n) => `${mib(n)} MB per call`],
  ['recordings', 'store/model/store-limits.ts', 'bodyBytes', (n) => `the most recent ${mib(n)} MB`],
  ['debugging', 'store/model/store-limits.ts', 'entries', (n) => `the most recent ${inDigits(n)} calls`],
  ['recordings', 'sandbox/observe/beginning-of-body.ts', 'KEPT_BYTES', (n) => `Bodies of up to ${mib(n)} MB`],
  ['site', 'dev/follow-content.ts', 'pauseMs', (n) => `a saved file after ${n} ms`],
  ['site', 'dev/follow-content.ts', 'heartbeatMs', (n) => `within ${inWords(seconds(n))} seconds`],
  ['running', 'dev/check-pages.ts', 'mostAtStart', (n) => `the first ${inDigits(n)} pages`],
  ['site', 'content/page/markdown-reader.ts', 'mostTags', (n) => `more than ${inDigits(n)} tags or link`],
  ['site', 'content/page/parse-page.ts', 'references', (n) => `more than ${inDigits(n)} tags or link`],
  ['site', 'content/page/markdown-reader.ts', 'deepest', (n) => `more than ${n} levels deep`],
  ['site', 'content/page/inline-nodes.ts', 'deepest', (n) => `more than ${n} levels deep`],
  ['site', 'content/page/parse-page.ts', 'ms', (n) => (n === 500 ? 'more than half a second' : `${n} ms`)],
  ['site', 'content/folder/read-file-facts.ts', 'mostBytes', (n) => `pages over ${mib(n)} MB`],
  ['runtimes', 'emulator/calls/headroom.ts', 'NEAR', (share) => `more than ${share * 100}% of a limit`],
  ['runtimes', 'sandbox/workerd/production-runtime.ts', 'MEMORY_MB', (mb) => `allocates more than ${mb} MB`],
  ['runtimes', 'sandbox/runner/call-with-deadline.ts', 'defaultTimeoutMs', (n) => `| ${inDigits(n)}, or the`],
  ['scaling', 'deliveries/command/metrics-server.ts', 'longestMs', (n) => `more than ${seconds(n)} seconds)`],
  ['scaling', 'deliveries/model/tables.ts', 'laneCount', (count) => `divided into ${count} lanes`],
  ['scaling', 'deliveries/model/body-limit.ts', 'defaultMaxBodyBytes', (n) => `up to ${mib(n)} MB** of`],
  ['scaling', 'deliveries/command/parse-values.ts', 'largestBytes', (n) => `up to ${mib(n)} MB if you raise`],
  ['secrets', 'protocol/secret-spellings.ts', 'shortestSecret', (n) => `fewer than ${inWords(n)} characters`],
  ['secrets', 'manifest/check/manifest-environments.ts', 'maxEnvironments', (n) => `up to ${n} environments`],
  ['site', 'content/find-passages.ts', 'mostPassages', (n) => `quotes up to ${inWords(n)} pages`],
  ['site', 'dev/follow-content.ts', 'pauseMs', (n) => `no file has changed for ${n} ms`],
  ['site', 'site/server/navigation.tsx', 'mostOpen', (n) => `up to ${n} pages, the navigation`],
  ['site', 'site/server/reader-actions.ts', 'mostEachSecond', (n) => `at most ${n} views and ratings`],
  ['site', 'site/server/render-blocks.tsx', 'mostAtOnce', (n) => `requests up to ${n} blocks at a time`],
  ['site', 'site/server/render-blocks.tsx', 'patienceMs', (n) => `for up to ${seconds(n)} seconds`],
  ['site', 'protocol/page/page-blocks.ts', 'mostBlocks', (n) => `the first ${n} blocks of a page`],
  ['troubleshooting', 'base/node/too-many-headers.ts', 'most', (n) => `more than ${n} headers`],
  ['troubleshooting', 'dev/open-ports.ts', 'first', (n) => `between ${n} and`],
  ['troubleshooting', 'dev/open-ports.ts', 'last', (n) => `and ${n}. This message`],
  ['troubleshooting', 'emulator/http/listen.ts', 'headKiB', (n) => `accept up to ${n} KiB`],
])('the %s guide and %s agree on %s', (guide, file, name, text) => {
  expect(read(`docs/guides/${guide}.md`).replaceAll(/\s+/g, ' ')).toContain(text(constant(file, name)));
});
