import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFailed, test, vi } from 'vitest';
import { sharedFolder } from '../support/temporary-folder.js';
import type { CommandSpec } from '../../src/cli/context/command.js';
import { platform } from '../../src/cli/commands/index.js';
import {
  createMachine,
  machineNames,
  ran,
  type Machine,
  type MachineName,
  type Started,
} from './machines.js';

/** What fails because of Wine, and why. */
const notUnderWine: Record<string, string> = {
  'queues, lists and runs tasks':
    'The script calls fetch, which sets a socket option before it connects. Wine answers with an error.',
  'cancels a task': 'The same.',
  'stops a call in an endless loop': 'The warning with the id of the call is not printed. Why is not known.',
  'answers a coding agent on standard input': 'Node cannot read from a pipe of the host.',
  'installs the dependencies of a new project': 'npm does not finish within two minutes.',
};
const mostNotUnderWine = 5;

/** One working day on one system. Each step continues where the earlier ones stopped. */
interface Day {
  machine: Machine;
  installed: string;
  /** The folder of the project. */
  folder: string;
  dev?: Started;
  call: string;
  /** Runs the command in the project. */
  cli(argv: readonly string[], options?: { cwd?: string; code?: number }): Promise<string>;
  /** Starts the platform, and waits until it is ready. */
  open(...argv: string[]): Promise<void>;
  /** Waits until the running platform has printed this. */
  prints(what: RegExp): Promise<RegExpExecArray>;
  request(path: string): Promise<Response>;
}

const script = `import { createComponent, createIntegration } from 'integration-platform';

const counter = createComponent({
  componentId: 'counter',
  initialState: () => ({ count: 0 }),
  action: async (element) => ({ state: { count: element.state.count + 1 } }),
  render: async (element) => <block><markdown content={\`Count \${element.state.count}\`} /></block>,
});

export default createIntegration({
  components: [counter],
  events: { space_content_updated: async () => console.log('first version') },
  task: async (task) => console.log('task', task.type),
  fetch: async (request, context) => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/crash')) throw new Error('It crashed.');
    if (path.endsWith('/loop')) for (;;);
    if (path.endsWith('/queue'))
      await context.integration.queueTask({ task: { type: 'digest', payload: {} }, schedule: 3600 });
    return Response.json({ path });
  },
});
`;

const lines = (...messages: object[]): string =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
const clientInfo = { name: 'test', version: '1' };
const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };

type Row = [name: string, argv: string[] | ((day: Day) => string[]), prints: RegExp, code?: number];
type Step = Row | [name: string, run: (day: Day) => Promise<void>];
const command = (name: string, run: (day: Day) => Promise<void>): Step => [name, run];

const init = ['init', 'über uns & mehr', '--name', 'day', '--template', 'block', '--organization', 'acme'];

const steps: Step[] = [
  command('writes a project into a folder with spaces and umlauts', async ({ cli, folder }) => {
    expect(await cli(init, { cwd: dirname(folder) })).toMatch(/22 files[^]+cd "über uns & mehr"/);
    writeFileSync(join(folder, 'src/index.tsx'), script);
  }),
  ['prints the version', ['--version'], /^\d+\.\d+\.\d+\n$/],
  ['prints the help', ['--help'], /Usage: platform[^]+completion/],
  ['does not know other commands', ['devv'], /Unknown command 'devv'[^]+dev\?/, 2],
  ['completes in bash', ['completion', 'bash'], /complete/],
  ['explains a code', ['explain', 'manifest/unknown-key'], /unknown-key/],
  ['lists the rules', ['rules'], /manifest\/unknown-key/],
  ['prints a schema', ['schema', 'manifest'], /"\$schema"/],
  ['searches the documentation', ['docs', 'retry', 'webhook'], /guides\//],
  command('keeps a folder that is not empty', async ({ cli, folder }) => {
    expect(await cli(init, { cwd: dirname(folder), code: 2 })).toMatch(/not empty|already/);
  }),
  ['validates the manifest', ['validate'], /No problems in 1 file/],
  command(
    'finds manifests with a pattern in the separators of the system',
    async ({ cli, folder, machine }) => {
      const pattern = machine.isWindows ? '*\\platform-manifest.yaml' : '*/platform-manifest.yaml';
      expect(await cli(['validate', pattern], { cwd: dirname(folder) })).toContain('No problems in 1 file');
    },
  ),
  command('prints paths with slashes, and keeps CRLF in a fix', async ({ cli, folder }) => {
    const file = join(folder, 'platform-manifest.yaml');
    const before = readFileSync(file, 'utf8').replaceAll('\n', '\r\n');
    writeFileSync(file, before.replace('visibility', 'visiblity'));
    const path = 'über uns & mehr/platform-manifest.yaml';
    expect(await cli(['validate', path], { cwd: dirname(folder), code: 1 })).toContain(`${path}:`);
    await cli(['validate', '--fix']);
    expect(readFileSync(file, 'utf8')).toBe(before);
  }),
  command('keeps CRLF in what it adds', async ({ cli, folder }) => {
    const files = ['platform-manifest.yaml', 'src/index.tsx', 'platform-env.d.ts'].map((name) =>
      join(folder, name),
    );
    for (const file of files) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\r?\n/g, '\r\n'));
    await cli(['types', '--check']);
    await cli(['add', 'component', 'greeting']);
    await cli(['add', 'scope', 'space:content:read']);
    await cli(['add', 'secret', 'TOKEN']);
    await cli(['add', 'configuration', 'channel']);
    await cli(['upgrade', '--write']);
    writeFileSync(join(folder, '.env'), 'TOKEN=secret\r\n');
    await cli(['types']);
    for (const file of files) expect(readFileSync(file, 'utf8').match(/[^\r]\n/g), file).toBeNull();
  }),
  command('adds what the project does not have yet', async ({ cli }) => {
    for (const piece of ['event site_view', 'oauth'])
      expect(await cli(['add', ...piece.split(' '), '--dry-run'])).toContain('test');
  }),
  ['sets up coding agents', ['agent', 'setup', '--yes'], /SKILL\.md/],
  ['checks the project before it is published', ['publish-check'], /Manifest[^]+The manifest is valid/, 1],
  command('starts the platform', async ({ open }) => open()),
  ['prints the link of the console', ['open', '--print'], /^http:\/\/127\.\S+#key=/],
  ['sends an event', ['trigger', 'space_content_updated'], /200/],
  ['renders a component', ['render', 'counter', '--action', 'add'], /Count 1/],
  ['shows the configuration', ['config', 'get'], /installation_1/],
  ['sets a property', ['config', 'set', 'channel=general'], /general/],
  ['clears a property', ['config', 'unset', 'channel'], /installation_1|channel/],
  ['installs on a site', ['uninstall', '--site', 'site_local'], /site_local/],
  ['installs again', ['install', '--site', 'site_local'], /site_local/],
  ['pauses', ['pause'], /installation_1/],
  ['resumes', ['resume'], /installation_1/],
  ['lists the calls', ['logs'], /space_content_updated/],
  command('serves public requests, and reports a crash with its line', async ({ request, cli, prints }) => {
    expect(await (await request('/hello')).json()).toEqual({ path: expect.stringMatching(/\/hello$/) });
    expect((await request('/crash')).status).toBe(500);
    await prints(/It crashed\.[^]*src\/index\.tsx:17/);
    expect(await cli(['logs', '--failed'])).toContain('It crashed');
  }),
  command('shows a call', async (day) => {
    const calls = await day.cli(['logs', '--json', '--type', 'fetch']);
    day.call = /call_\w+/.exec(calls)?.[0] ?? '';
    expect(await day.cli(['inspect', day.call])).toContain(day.call);
  }),
  command('records and replays calls', async ({ cli, folder }) => {
    await cli(['record', 'hello', '--type', 'fetch', '--last', '2']);
    expect(readdirSync(join(folder, 'recordings'))).toContain('hello.json');
    expect(await cli(['replay', 'recordings/hello.json'])).toMatch(/same|match|passed/i);
  }),
  command('updates a recording, and keeps its CRLF', async ({ cli, folder }) => {
    const file = join(folder, 'recordings/hello.json');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll('\n', '\r\n').replace('It crashed', 'It broke'),
    );
    await cli(['replay', 'recordings/hello.json', '--update']);
    expect(readFileSync(file, 'utf8').match(/[^\r]\n/g)).toBeNull();
  }),
  command('queues, lists and runs tasks', async ({ request, cli, prints }) => {
    await request('/queue');
    const id = /task_\w+/.exec(await cli(['tasks', 'list']))?.[0] ?? '';
    await cli(['tasks', 'run', id]);
    await prints(/task digest/);
  }),
  command('cancels a task', async ({ request, cli }) => {
    await request('/queue');
    const id = /task_\w+/.exec(await cli(['tasks', 'list']))?.[0] ?? '';
    await cli(['tasks', 'cancel', id]);
    expect(await cli(['tasks', 'list'])).not.toContain(id);
  }),
  ['shows the clock', ['clock', 'show'], /\d\d:\d\d/],
  ['moves the clock', ['clock', 'advance', '1h'], /\d\d:\d\d/],
  ['moves the clock until nothing is due', ['clock', 'run'], /\d\d:\d\d/],
  ['sets the clock', ['clock', 'set', '2030-12-24T09:00Z'], /2030/],
  ['lets the clock follow the machine', ['clock', 'real'], /\d\d:\d\d/],
  command('sends signed webhooks', async ({ cli }) => {
    const received: string[] = [];
    const server = createServer((request, response) => {
      received.push(String(request.headers['x-platform-signature'] ?? Object.keys(request.headers)));
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await cli(['webhook', 'add', '--url', `http://127.0.0.1:${port}/`, '--event', 'space_content_updated']);
    await cli(['trigger', 'space_content_updated', '--wait']);
    expect(await cli(['webhook', 'deliveries'])).toContain('space_content_updated');
    expect(received).toHaveLength(1);
    const [delivery = ''] = /dlv_\w+/.exec(await cli(['webhook', 'deliveries'])) ?? [];
    await cli(['webhook', 'resend', delivery]);
    await cli(['webhook', 'send', 'site_view', '--to', `http://127.0.0.1:${port}/`, '--secret', 'whsec_1']);
    await expect.poll(() => received.length).toBe(3);
    await cli(['webhook', 'test', '--to', `http://127.0.0.1:${port}/`, '--secret', 'whsec_1'], { code: 1 });
    const list = await cli(['webhook', 'list']);
    expect(list).toContain(String(port));
    const [endpoint = ''] = /whe_\w+/.exec(list) ?? [];
    for (const change of ['rotate', 'disable', 'enable']) await cli(['webhook', change, endpoint]);
    server.close();
  }),
  command('receives webhooks', async ({ cli, machine, folder }) => {
    const receiver = machine.start(['webhook', 'listen', '--port', '0', '--secret', 'whsec_1'], {
      cwd: folder,
    });
    const at = (): string => /http:\/\/\S+/.exec(receiver.read().out + receiver.read().err)?.[0] ?? '';
    await expect.poll(at, { timeout: 20_000 }).not.toBe('');
    await cli(['webhook', 'send', 'site_view', '--to', at(), '--secret', 'whsec_1']);
    await receiver.end('SIGINT');
    expect(receiver.read().out).toContain('site_view');
  }),
  command('stops a call in an endless loop', async ({ request, cli, prints }) => {
    const looping = request('/loop').catch(() => undefined);
    const [, id = ''] = await prints(/warning (call_\w+) keeps the script\s+busy/);
    await cli(['stop', id]);
    await looping;
    expect((await request('/hello')).status).toBe(200);
  }),
  command('saves and restores the state', async ({ cli }) => {
    await cli(['state', 'save', 'before']);
    expect(await cli(['state', 'list'])).toContain('before');
    await cli(['state', 'load', 'before']);
  }),
  command('loads a saved file', async ({ cli, folder, prints }) => {
    const file = join(folder, 'src/index.tsx');
    writeFileSync(file, readFileSync(file, 'utf8').replace('first version', 'second version'));
    await prints(/built in[^]+built in/);
    await cli(['trigger', 'space_content_updated']);
    await prints(/second version/);
  }),
  command('answers a coding agent on standard input', async ({ machine, folder }) => {
    const mcp = machine.start(['mcp'], { cwd: folder, input: 'pipe' });
    mcp.process.stdin?.write(
      lines(
        { id: 1, method: 'initialize', params: handshake },
        { method: 'notifications/initialized' },
        { id: 2, method: 'tools/list' },
        { id: 3, method: 'tools/call', params: { name: 'status', arguments: {} } },
      ),
    );
    await expect.poll(() => mcp.read().out).toMatch(/"id":3/);
    mcp.process.stdin?.end();
    expect((await mcp.end()).out).toMatch(/"name":"status"[^]*facts/);
  }),
  command('does not start a second platform', async ({ cli, machine }) => {
    const end = machine.isWindows ? /already[^]+taskkill .*PID \d/ : /already[^]+kill \d/;
    expect(await cli(['dev'], { code: 2 })).toMatch(end);
  }),
  command('stops with Ctrl-C, and leaves no session', async (day) => {
    const ended = await day.dev?.end('SIGINT');
    // On Windows, one program can only end another at once.
    if (process.platform === 'win32') return;
    expect(ended?.code).toBe(130);
    expect(existsSync(join(day.folder, '.platform/session.json'))).toBe(false);
    expect(await day.cli(['logs'], { code: 2 })).toMatch(/platform dev/);
  }),
  command('keeps its state until the second start', async ({ open, cli }) => {
    await open();
    expect(await cli(['logs'])).toContain('space_content_updated');
    expect(await cli(['webhook', 'list'])).toContain('space_content_updated');
  }),
  command('leaves no process when it is killed, and starts again', async (day) => {
    await day.dev?.end('SIGKILL');
    await expect.poll(day.machine.scripts, { timeout: 20_000 }).toEqual([]);
    await day.open();
    expect(await day.cli(['logs'])).toContain('space_content_updated');
    const list = await day.cli(['webhook', 'list']);
    await day.cli(['webhook', 'remove', /whe_\w+/.exec(list)?.[0] ?? '']);
    await day.dev?.end('SIGINT');
    await expect.poll(day.machine.scripts, { timeout: 20_000 }).toEqual([]);
  }),
  command('starts over, and keeps the saved states', async (day) => {
    await day.open('--fresh');
    expect(await day.cli(['logs'])).not.toContain('space_content_updated');
    expect(await day.cli(['state', 'list'])).toContain('before');
    await day.dev?.end('SIGINT');
  }),
  command('runs a command once the platform is ready', async ({ cli, machine }) => {
    const exec = machine.isWindows ? 'echo at %PLATFORM_API_URL%' : 'echo at $PLATFORM_API_URL';
    expect(await cli(['dev', '--state', 'memory', '--exec', exec])).toMatch(/at http:\/\/127\.0\.0\.1:\d+/);
  }),
  command('signs and verifies a body', async ({ cli, folder }) => {
    writeFileSync(join(folder, 'body.json'), '{"a":1}');
    const secret = ['--secret', 'whsec_1'];
    const [header = ''] = /t=\d+,v1=\w+/.exec(await cli(['webhook', 'sign', 'body.json', ...secret])) ?? [];
    expect(await cli(['webhook', 'verify', 'body.json', ...secret, '--header', header])).toContain('valid');
  }),
  ['checks the site', ['site', 'check'], /No problems|page/],
  ['builds the site', ['site', 'build', 'preview'], /preview/],
  command('moves a project', async ({ cli, folder }) => {
    const argv = ['init', 'moved', '--from', folder.split('/').at(-1) ?? '', '--organization', 'acme'];
    await cli(argv, { cwd: dirname(folder) });
    expect(await cli(['validate'], { cwd: join(dirname(folder), 'moved') })).toContain('1 file');
  }),
  command('installs the dependencies of a new project', async ({ cli, folder, installed }) => {
    copyFileSync(join(installed, 'linux', tarball(installed)), join(dirname(folder), 'platform.tgz'));
    const argv = [
      'init',
      'new',
      '--template',
      'blank',
      '--organization',
      'acme',
      '--install',
      '--sdk',
      'file:../platform.tgz',
    ];
    await cli(argv, { cwd: dirname(folder) });
    const own = join(dirname(folder), 'new');
    expect(existsSync(join(own, 'node_modules/integration-platform/package.json'))).toBe(true);
  }),
];

const tarball = (installed: string): string =>
  readdirSync(join(installed, 'linux')).find((name) => name.endsWith('.tgz')) ?? '';

const results = new Map<string, Map<MachineName, string>>();

describe.each(machineNames)('%s', (name) => {
  const scratch = sharedFolder();
  let day: Day;

  beforeAll(() => {
    const installed = inject('installed');
    const machine = createMachine(name, installed, scratch);
    const folder = join(machine.folder, 'über uns & mehr');
    mkdirSync(machine.folder);
    symlinkSync(
      join(installed, name.startsWith('Wine') ? 'windows' : 'linux', 'node_modules'),
      join(scratch, 'node_modules'),
      'junction',
    );
    const show = ({ code, out, err }: { code: number | null; out: string; err: string }): string =>
      `exit code ${code}\n${out}\n${err}`;
    day = {
      machine,
      installed,
      folder,
      call: '',
      async cli(argv, { cwd = folder, code = 0, ...options } = {}) {
        const output = await machine.run(argv, { cwd, ...options });
        if (output.code !== code) throw new Error(`${argv.join(' ')}: ${show(output)}`);
        return output.out + output.err;
      },
      async open(...argv) {
        day.dev = machine.start(['dev', ...argv], { cwd: folder });
        await day.prints(/ {2}Public +http/);
        await day.prints(/built in/);
      },
      async prints(what) {
        const dev = day.dev;
        return vi
          .waitUntil(
            () => {
              const output = dev?.read();
              if (output?.code !== null) throw new Error(`dev: ${output && show(output)}`);
              return what.exec(output.out);
            },
            { timeout: 20_000, interval: 100 },
          )
          .catch((error: unknown) => {
            throw new Error(`${String(what)}: ${String(error)}\n${dev && show(dev.read())}`);
          });
      },
      async request(path) {
        const [, endpoint] = await day.prints(/ {2}Public +(\S+)/);
        return fetch(`${endpoint}${path}`);
      },
    };
  });

  afterAll(async () => {
    if (day.dev?.process.exitCode === null) await day.dev.end('SIGKILL');
  });

  for (const [title, run, prints, code] of steps) {
    const row = results.get(title) ?? new Map<MachineName, string>();
    results.set(title, row);
    const reason = name.startsWith('Wine') ? notUnderWine[title] : undefined;
    test.skipIf(reason !== undefined)(title, async () => {
      row.set(name, 'works');
      onTestFailed(() => void row.set(name, 'fails'));
      if (prints === undefined) await (run as (day: Day) => Promise<void>)(day);
      else expect(await day.cli(run as string[], { code: code ?? 0 })).toMatch(prints);
    });
  }
});

/** The names of a command's subcommands, or its own, each as the words on the command line. */
const namesOf = ({ name, subcommands }: CommandSpec): string[] =>
  subcommands?.flatMap((inner) => namesOf(inner).map((rest) => `${name} ${rest}`)) ?? [name];

test('runs every command', () => {
  const words = [...ran].map((line) => `${line} `);
  const names = platform.commands.flatMap(namesOf);
  expect(names.filter((name) => !words.some((line) => line.startsWith(`${name} `)))).toEqual([]);
});

test('has a reason for each step that does not run under Wine', () => {
  expect(Object.keys(notUnderWine).filter((title) => !results.has(title))).toEqual([]);
  expect(Object.keys(notUnderWine).length).toBeLessThanOrEqual(mostNotUnderWine);
});

afterAll(() => {
  const width = Math.max(...[...results.keys()].map((title) => title.length));
  const table = [...results].map(([title, row]) =>
    [
      title.padEnd(width),
      ...machineNames.map((name) => (row.get(name) ?? 'not run').padEnd(name.length)),
    ].join('  '),
  );
  console.log([''.padEnd(width + 2) + machineNames.join('  '), ...table].join('\n'));
});
