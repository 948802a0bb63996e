import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { platform } from '../../../src/cli/commands/index.js';
import type { CommandSpec } from '../../../src/cli/context/command.js';
import { claimSession } from '../../../src/dev/claim-session.js';
import { manifestText } from '../../support/manifest-text.js';
import { runCli, type CliResult } from '../../support/run-cli.js';
import { serve } from '../../support/serve.js';
import { sharedFolder, temporaryFolder, writeFiles } from '../../support/temporary-folder.js';

/** They ask the session. */
const inSession = [
  'open --print',
  'trigger space_content_updated',
  'render note',
  'config get',
  'config set region=eu',
  'config unset region',
  'install',
  'uninstall',
  'pause',
  'resume',
  'logs',
  'inspect call_1',
  'record answer --last 1',
  'replay call_1',
  'stop call_1',
  'tasks list',
  'tasks run task_1',
  'tasks cancel task_1',
  'clock show',
  'clock advance 1h',
  'clock set 2030-01-01T00:00Z',
  'clock run',
  'clock real',
  'state save one',
  'state load one',
  'state list',
  'webhook add --url http://127.0.0.1:9/hook --event site_view',
  'webhook list',
  'webhook enable whk_1',
  'webhook disable whk_1',
  'webhook rotate whk_1',
  'webhook remove whk_1',
  'webhook deliveries',
  'webhook resend dlv_1',
  'webhook verify call_1',
];

/** They read the project. */
const inProject = [
  'add component card --dry-run',
  'add event site_view --dry-run',
  'add oauth --dry-run',
  'add scope site:views:read --dry-run',
  'add secret API_KEY --dry-run',
  'add configuration channel --dry-run',
  'types --check',
  'upgrade',
  'validate --json',
  'publish-check --json',
  'site check',
  'site build .',
  'dev',
  'replay recordings',
  'agent setup --dry-run',
];

/** Their result does not depend on an integration. */
const anywhere = [
  'init',
  'explain',
  'rules',
  'schema',
  'docs',
  'webhook send',
  'webhook listen',
  'webhook test',
  'webhook sign',
  'completion',
  // An agent names the session of its folder with each request.
  'mcp',
];

const root = sharedFolder();
const folderOf = (name: string): string => join(root, 'integrations', name);
const keys = new Set<string | null>();
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  for (const name of ['alpha', 'beta'])
    writeFiles(folderOf(name), {
      'platform-manifest.yaml': manifestText({ name, more: 'script: src/index.ts\n' }),
      'src/index.ts': `throw new Error('${name}');`,
      'recordings/note.txt': '',
      'AGENTS.md': `About ${name}.\n`,
    });
  server = await serve(({ method, headers }) => {
    if (method === 'HEAD') return new Response();
    keys.add(headers.get('x-platform-token'));
    return Response.json({ error: 'Not here.', code: 'not-found' }, { status: 404 });
  });
  const integrations = ['alpha', 'beta'].map((name) => ({
    name,
    token: `key of ${name}`,
    folder: folderOf(name),
  }));
  for (const folder of [root, ...integrations.map((one) => one.folder)]) {
    const claim = await claimSession(folder, {
      pid: 1,
      platformVersion: '1.0.0',
      token: 'key of all',
      userId: process.geteuid?.(),
      isRunning: () => false,
      isAnswering: async () => false,
      mayBeSecond: false,
    });
    claim.announce({ origin: server.url, consoleOrigin: server.url, integrations });
  }
});
afterAll(() => server.close());
beforeEach(() => keys.clear());

const run = (command: string, cwd: string, ...option: string[]): Promise<CliResult> =>
  runCli([...command.split(' '), ...option], { cwd, pid: 2, isRunning: () => true });

const namesOf = (specs: readonly CommandSpec[]): string[] =>
  specs.flatMap(({ name, subcommands }) =>
    subcommands ? namesOf(subcommands).map((one) => `${name} ${one}`) : [name],
  );

test('has each command in one of the tables', () => {
  const tested = [...inSession, ...inProject, ...anywhere];
  const nameOf = (line: string) =>
    namesOf(platform.commands).filter((name) => `${line} `.startsWith(`${name} `));
  expect([...new Set(tested.flatMap(nameOf))].sort()).toEqual(namesOf(platform.commands).sort());
});

test.each(inSession)('asks only the integration that --integration names: %s', async (command) => {
  await run(command, root, '--integration', 'beta');
  expect([...keys]).toEqual(['key of beta']);
});

test.each(inProject)('does the same with --integration as in the folder: %s', async (command) => {
  const there = await run(command, folderOf('beta'));
  expect(await run(command, root, '--integration', 'beta')).toEqual(there);
  expect(await run(command, folderOf('alpha'), '--integration', 'beta')).toEqual(there);
  expect(await run(command, root)).not.toEqual(there);
});

test('names the integrations if it finds none of this name', async () => {
  const { code, stderr } = await run('logs', root, '--integration', 'bet');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/Unknown integration: bet\.\s+Did you mean beta\?/),
  ]);
  const none = await run('validate', temporaryFolder(), '--integration', 'gamma');
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Unknown integration: gamma.')]);
});
