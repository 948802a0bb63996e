import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { startDevPlatform, type DevPlatform } from '../support/dev-platform.js';
import { mcpHere, type Answer, type McpHere } from '../support/mcp-client.js';
import { runCli } from '../support/run-cli.js';
import {
  cause,
  installTwice,
  seededFaults,
  writeSeededFaults,
  type SeededFault,
} from '../support/seeded-faults.js';
import { serve } from '../support/serve.js';

const manifest = 'platform-manifest.yaml';
const prepend = (code: string) => async (platform: DevPlatform) =>
  platform.edit('src/index.ts', (text) => `${code} // added\n${text}`);
const removeAdded = async (platform: DevPlatform) =>
  platform.edit('src/index.ts', (text) => text.replace(/^.*\/\/ added\n/m, ''));

let closed: Awaited<ReturnType<typeof serve>>;
/** Faults outside the request handler. */
const otherFaults: readonly SeededFault[] = [
  {
    name: 'load',
    cause: prepend(`throw new Error('No settings.');`),
    shows: /src\/index\.ts:1[^]*No settings\.|No settings\.[^]*src\/index\.ts:1/,
    end: removeAdded,
  },
  {
    name: 'import',
    cause: prepend(`import './nowhere.js';`),
    shows: /src\/index\.ts:1[^]*nowhere\.js|nowhere\.js[^]*src\/index\.ts:1/,
    end: removeAdded,
  },
  {
    name: 'manifest',
    cause: async (platform) => platform.edit(manifest, (text) => `${text}visibilty: public\n`),
    shows: /platform-manifest\.yaml:\d+[^]*visibilty|visibilty[^]*platform-manifest\.yaml/,
    end: async (platform) => platform.edit(manifest, (text) => text.replace('visibilty: public\n', '')),
  },
  {
    name: 'receiver',
    cause: async ({ api }) => {
      const { id } = await api<{ id: string }>('POST', '/webhooks', {
        space: 'space_local',
        url: closed.url,
        events: ['space_content_updated'],
      });
      await api('POST', `/webhooks/${id}/ping`);
    },
    shows: /401/,
  },
];
const faults = [...seededFaults, ...otherFaults];

let platform: DevPlatform;
let mcp: McpHere;
let outside: { close(): Promise<void> } | undefined;
beforeAll(async () => {
  closed = await serve(() => new Response('Who are you?', { status: 401 }));
  const options = ['--state', 'memory', '--oauth-provider', 'local', '--timeout', '20'];
  platform = await startDevPlatform('projects/author', options, async (folder) => {
    outside = await writeSeededFaults(folder);
  });
  await installTwice(platform);
  mcp = await mcpHere(platform.folder);
});
const table: string[] = [];
afterAll(async () => {
  console.log(`steps and bytes to the line or the reason: shell, MCP\n${table.join('\n')}`);
  await mcp.close();
  await platform.close();
  await Promise.all([outside?.close(), closed.close()]);
});

interface Read {
  steps: number;
  bytes: number;
}

/** Reads one answer after another until one shows the line or the reason. */
async function readUntil(shows: RegExp, answers: AsyncIterable<string>): Promise<Read> {
  let bytes = 0;
  let steps = 0;
  for await (const answer of answers) {
    steps += 1;
    bytes += Buffer.byteLength(answer);
    if (shows.test(answer)) return { steps, bytes };
  }
  return { steps: Infinity, bytes };
}

/** What an agent with a shell reads: the failures, the command that they end with, then the other kinds of problems. */
async function* inShell(): AsyncGenerator<string> {
  const here = { cwd: platform.folder, clock: systemClock, isRunning: () => true };
  const run = async (...argv: string[]): Promise<string> => {
    const { stdout, stderr } = await runCli(argv, here);
    return stdout + stderr;
  };
  const failed = await run('logs', '--failed', '--warnings', '--current', '--limit', '5');
  yield failed;
  const [, next] = /^next: platform (.*)$/m.exec(failed) ?? [];
  if (next !== undefined) yield await run(...next.split(' '));
  yield await run('validate');
  yield await run('webhook', 'deliveries');
}

/** The same with the tools. Their facts have the position, and the file is next to the message. */
async function* overMcp(): AsyncGenerator<string> {
  const read = async (name: string, input = {}): Promise<string> => {
    const { text } = await mcp.raw(name, input);
    const { facts, untrusted } = JSON.parse(text) as Answer;
    const positions = facts.items?.map(({ line, column }, index) => {
      const { file, message } = untrusted.items?.[index] ?? {};
      return [file, line, column, ` ${String(message)}`].join(':');
    });
    return `${text}\n${positions?.join('\n') ?? ''}`;
  };
  const failed = await read('calls', { failed: true, warnings: true, current: true, limit: 5 });
  yield failed;
  const [, id] = /"next":"call .*?(call_\w+)/.exec(failed) ?? [];
  if (id !== undefined) yield await read('call', { call: id });
  yield await read('problems');
  yield await read('deliveries');
}

/** What a save or a background promise causes comes a moment later. */
const firstAnswer = (shows: RegExp, answers: () => AsyncIterable<string>): Promise<Read> =>
  vi.waitFor(
    async () => {
      const found = await readUntil(shows, answers());
      expect(found.steps).toBeLessThanOrEqual(3);
      return found;
    },
    { timeout: 60_000, interval: 500 },
  );

test.each(faults.map((fault) => [fault.name, fault] as const))(
  'finds the line or the cause of %s in at most three steps',
  async (name, fault) => {
    const { shows, prints = shows } = fault;
    const builds = (): number => platform.output.split('built in').length;
    const before = builds();
    platform.edit('src/index.ts', (text) => `console.debug('${name}');\n${text}`);
    await vi.waitFor(() => expect(builds()).toBeGreaterThan(before), { timeout: 60_000 });
    await cause(fault, platform);
    // The others are read while they last.
    if (name === 'loop') await fault.end?.(platform);
    try {
      const shell = await firstAnswer(prints, inShell);
      const tools = await firstAnswer(prints, overMcp);
      const cell = ({ steps, bytes }: Read): string => `${steps} steps ${String(bytes).padStart(6)} bytes`;
      table.push(`${name.padEnd(18)}${cell(shell)}   ${cell(tools)}`);
    } finally {
      if (name !== 'loop') await fault.end?.(platform);
    }
  },
);

test('the test covers 21 faults', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(21);
});
