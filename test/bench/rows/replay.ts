import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createIntegration } from 'integration-platform';
import { openSession } from '../../support/open-session.js';
import { median } from '../paired.js';
import type { Figure, Row } from '../row.js';

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

async function runReplay(cwd: string, id: string): Promise<{ ms: number; mib: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', weigh, platform, 'replay', id], { cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  await once(child, 'close');
  const ms = performance.now() - start;
  const changed = stdout.match(/^[-+]\d+ \d+$/gm) ?? [];
  if (changed.length !== 2 * lines) throw new Error(`${changed.length} lines of a diff. ${stderr}`);
  return { ms, mib: Number(stderr) / 1024 };
}

export const replayRows: Row[] = [
  {
    what: `platform replay of a response that differs in ${lines} lines`,
    reach: { atMost: 1000 },
    measure: replay,
  },
];
