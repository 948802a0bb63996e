import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCli } from '../support/run-cli.js';
import { breakIntegration, brokenIntegrations, checkRepair } from './broken-integrations.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = fileURLToPath(new URL('../fixtures/projects/tickets', import.meta.url));
const counter = new URL('count-output.mjs', import.meta.url).href;

const setUps = ['shell', 'skill', 'mcp'] as const;
type SetUp = (typeof setUps)[number];

interface Result {
  solved: boolean;
  seconds: number;
  /** Bytes that the `platform` commands and the MCP server printed for the agent. */
  bytes: number;
  /** Why it is not solved. */
  reason?: string;
}

const usage = `Usage: npm run prove:agents -- --agent '<command>' [--only <fault>] [--minutes <limit>]

Runs the command in a copy of each broken integration, with the complaint of a user on standard input
and in PLATFORM_COMPLAINT, and checks what it has repaired.`;

const { values } = parseArgs({
  options: {
    agent: { type: 'string' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '10' },
  },
});
const chosen = brokenIntegrations.filter(({ name }) => values.only === undefined || name === values.only);
if (values.agent === undefined || chosen.length === 0 || !(Number(values.minutes) > 0)) {
  const names = brokenIntegrations.map(({ name }) => name).join(', ');
  console.error(`${usage}\n\nFaults: ${names}`);
  process.exit(2);
}

console.log(`${'fault'.padEnd(22)}${setUps.map((setUp) => setUp.padEnd(28)).join('')}`);
const totals = Object.fromEntries(setUps.map((setUp) => [setUp, 0])) as Record<SetUp, number>;
const reasons: string[] = [];
for (const broken of chosen) {
  const cells: string[] = [];
  for (const setUp of setUps) {
    const { solved, seconds, bytes, reason } = await prove(broken, setUp, values.agent);
    if (solved) totals[setUp] += 1;
    if (reason !== undefined) reasons.push(`${broken.name}, ${setUp}: ${reason}`);
    cells.push(
      `${solved ? 'solved' : 'not   '} ${seconds.toFixed(0).padStart(4)} s ${bytes} bytes`.padEnd(28),
    );
  }
  console.log(`${broken.name.padEnd(22)}${cells.join('')}`.trimEnd());
}
console.log(setUps.map((setUp) => `${setUp}: ${totals[setUp]} of ${chosen.length}`).join(', '));
for (const reason of reasons) console.log(reason);

async function prove(broken: (typeof chosen)[number], setUp: SetUp, agent: string): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-agent-'));
  const counted = `${folder}.bytes`;
  writeFileSync(counted, '');
  try {
    cpSync(project, folder, { recursive: true });
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(root, join(folder, 'node_modules/integration-platform'));
    symlinkSync(join(root, 'bin/platform.js'), join(folder, 'node_modules/.bin/platform'));
    breakIntegration(broken, folder);
    await setUpAgent(setUp, folder);
    const began = performance.now();
    await runAgent(agent, broken.complaint, { folder, counted });
    const seconds = (performance.now() - began) / 1000;
    const bytes = readFileSync(counted, 'utf8')
      .split('\n')
      .reduce((sum, line) => sum + Number(line), 0);
    try {
      await checkRepair(broken, folder);
      return { solved: true, seconds, bytes };
    } catch (error) {
      return { solved: false, seconds, bytes, reason: String(error).split('\n')[0] ?? '' };
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(counted, { force: true });
  }
}

/** Leaves only what belongs to the set-up of all that `agent setup` writes. */
async function setUpAgent(setUp: SetUp, folder: string): Promise<void> {
  if (setUp === 'shell') return;
  const { code, stderr } = await runCli(['agent', 'setup', '--yes'], { cwd: folder });
  if (code !== 0) throw new Error(stderr);
  const others = setUp === 'skill' ? ['.mcp.json', '.vscode'] : ['AGENTS.md', '.agents'];
  for (const file of others.filter((one) => existsSync(join(folder, one))))
    rmSync(join(folder, file), { recursive: true });
}

async function runAgent(
  command: string,
  complaint: string,
  { folder, counted }: { folder: string; counted: string },
): Promise<void> {
  const task = `${complaint} Find the reason and fix the files of this project. Its integration is tested with the command \`platform\`.`;
  const child = spawn(command, {
    cwd: folder,
    shell: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    timeout: Number(values.minutes) * 60_000,
    env: {
      ...process.env,
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`,
      PLATFORM_COMPLAINT: task,
      PLATFORM_OUTPUT_BYTES: counted,
      NODE_OPTIONS: `--import ${counter}`,
      TICKETS_API_KEY: 'the-key',
      TICKETS_CLIENT_ID: 'client',
      TICKETS_CLIENT_SECRET: 'secret',
    },
  });
  // An agent may not read its standard input.
  child.stdin.on('error', () => {});
  child.stdin.end(task);
  await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
}
