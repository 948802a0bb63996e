import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createIntegration } from 'integration-platform';
import { openSession } from '../../support/open-session.js';
import { median } from '../paired.js';
import type { Figure, Row } from '../row.js';
import { manifestText } from '../../support/manifest-text.js';

const platform = fileURLToPath(new URL('../../../bin/platform.js', import.meta.url));
const lines = 4000;
const runs = 5;

/**
 * Prints the command's peak memory in KiB to standard error. Prefers Linux's figure for the program alone,
 * because maxRSS starts with the memory of the parent process.
 */
const weigh = `data:text/javascript,import { readFileSync } from 'node:fs';
const peak = () => {
  try { return /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]; }
  catch { return process.resourceUsage().maxRSS; }
};
process.on('exit', () => process.stderr.write(String(peak())));`;

/** The response differs from the recorded one in every line. */
async function replay(): Promise<Figure> {
  let call = 0;
  const body = (): string => Array.from({ length: lines }, (_, line) => `${call} ${line}`).join('\n');
  const session = await openSession(createIntegration({ fetch: () => new Response(body()) }));
  try {
    await fetch(session.emulator.primary().publicEndpoint);
    const { json } = await session.cli(['logs', '--type', 'fetch', '--json']);
    const id = (json['items'] as { id: string }[])[0]?.id ?? '';
    const measured: { ms: number; mib: number }[] = [];
    for (let run = 0; run < runs; run++) {
      call++;
      measured.push(await runReplay(session.folder, id));
    }
    const mib = Math.max(...measured.map((one) => one.mib));
    return {
      value: median(measured.map((one) => one.ms)),
      unit: 'ms',
      detail: `${mib.toFixed(0)} MiB at most (limit 200)`,
    };
  } finally {
    await session.close();
  }
}

const calls = 100;

const manifest = manifestText({ name: 'costs', more: 'script: index.ts\n' });

const source = `import { createIntegration } from 'integration-platform';
export default createIntegration({
  async fetch(request) {
    const n = new URL(request.url).searchParams.get('n');
    const issue = await (await fetch('https://api.example/issues/' + n)).json();
    const sent = await fetch('https://chat.example/post', { method: 'POST', body: JSON.stringify({ n, issue }) });
    return Response.json({ n, issue, sent: sent.ok });
  },
});
`;

/** Only the inputs. The results are saved by `--update`. */
const recording = {
  version: 1,
  integration: 'costs',
  platform: '0.3.0',
  at: '2026-02-03T04:05:06.000Z',
  secrets: {},
  calls: Array.from({ length: calls }, (_, n) => ({
    name: `GET /${n}`,
    after: 50 * n,
    stored: {},
    event: {
      type: 'fetch',
      eventId: `evt_${n}`,
      request: { method: 'GET', url: `http://127.0.0.1:4100/v1/integrations/costs?n=${n}`, headers: {} },
    },
    outbound: [
      {
        send: `GET https://api.example/issues/${n}`,
        answer: { status: 200, body: { title: `Issue ${n}` } },
        ms: 34,
      },
      {
        send: 'POST https://chat.example/post',
        body: {},
        answer: { status: 200, body: { ok: true } },
        ms: 80,
      },
    ],
  })),
};

/** Includes the start of the command and the build. */
async function replayRecording(): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  try {
    mkdirSync(join(folder, 'recordings'));
    writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
    writeFileSync(join(folder, 'index.ts'), source);
    writeFileSync(join(folder, 'recordings/all.json'), JSON.stringify(recording));
    const replayAll = async (...options: string[]): Promise<{ ms: number; mib: number }> => {
      const argv = ['replay', 'recordings', ...options];
      const { stdout, stderr, ...measured } = await runPlatform(folder, argv);
      if (!stdout.includes(`${calls} calls replayed, all the same`)) throw new Error(stdout + stderr);
      return measured;
    };
    await replayAll('--update');
    const measured: { ms: number; mib: number }[] = [];
    for (let run = 0; run < runs; run++) measured.push(await replayAll());
    const mib = Math.max(...measured.map((one) => one.mib));
    return {
      value: median(measured.map((one) => one.ms)),
      unit: 'ms',
      detail: `${mib.toFixed(0)} MiB at most in the command's own process`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Ran {
  stdout: string;
  stderr: string;
  ms: number;
  mib: number;
}

async function runPlatform(cwd: string, argv: string[]): Promise<Ran> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', weigh, platform, ...argv], { cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  await once(child, 'close');
  const ms = performance.now() - start;
  return { stdout, stderr, ms, mib: Number(/\d+$/.exec(stderr)?.[0] ?? NaN) / 1024 };
}

async function runReplay(cwd: string, id: string): Promise<Pick<Ran, 'ms' | 'mib'>> {
  const { stdout, stderr, ms, mib } = await runPlatform(cwd, ['replay', id]);
  const changed = stdout.match(/^[-+]\d+ \d+$/gm) ?? [];
  if (changed.length !== 2 * lines) throw new Error(`${changed.length} lines of a diff. ${stderr}`);
  return { ms, mib };
}

export const replayRows: Row[] = [
  {
    what: `platform replay of a response that differs in ${lines} lines`,
    reach: { atMost: 1000 },
    measure: replay,
  },
  {
    what: `platform replay of a recording with ${calls} calls`,
    reach: { atMost: 1000 },
    measure: replayRecording,
  },
];
