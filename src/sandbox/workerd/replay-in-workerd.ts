import { tmpdir } from 'node:os';
import { systemClock, type Timers } from '../../base/clock.js';
import { withTimeout } from '../../base/deadlines.js';
import { createScriptFolder, type ScriptFile } from '../process/script-folder.js';
import { ScriptLoadError } from '../process/script-load-error.js';
import { createStackMapper } from '../process/stack-map.js';
import type { ReplayOutcome } from '../replay/replay-types.js';
import { atSources, lostOutcome, REAL_LIMIT_MS, type RunReplay } from '../replay/run-replay.js';
import { findWorkerdProgram, type WorkerdSearch } from './production-runtime.js';
import { startWorkerd, type RunningWorkerd, type WorkerdProgram } from './start-workerd.js';

/** Replays calls in workerd if it is installed in the project or in this package. */
export function findReplayInWorkerd(search: WorkerdSearch): RunReplay | undefined {
  const found = findWorkerdProgram(search, 'replay.mjs');
  return found && replayInWorkerd(found.program);
}

export const replayInWorkerd =
  (program: WorkerdProgram, timers: Timers = systemClock): RunReplay =>
  async (script, job, { signal, realLimitMs = REAL_LIMIT_MS, ended } = {}) => {
    const folder = createScriptFolder(tmpdir(), { maps: false });
    const outcomes: ReplayOutcome[] = [];
    const toSource = createStackMapper({
      file: 'script.mjs',
      map: script.map,
      hidden: ['worker.mjs', 'node-internal:', 'cloudflare-internal:'],
    });
    const stage = { timers, program, folder: folder.path, replay: job, realLimitMs, toSource };
    let running: RunningWorkerd | undefined;
    try {
      const file = folder.write(script);
      for (const [call] of job.calls.entries()) {
        signal?.throwIfAborted();
        if (!running || running.isOver()) running = await start(file, stage);
        const outcome = await runOne(running, call, stage);
        const mapped = atSources(outcome, toSource);
        outcomes.push(mapped);
        ended?.(call, mapped);
      }
      return outcomes;
    } finally {
      running?.kill();
      await running?.exited;
      folder.remove();
    }
  };

interface Stage {
  timers: Timers;
  program: WorkerdProgram;
  folder: string;
  replay: Parameters<RunReplay>[1];
  realLimitMs: number;
  /** Rewrites positions in the bundle to positions in the author's files. */
  toSource(text: string): string;
}

async function start(
  script: ScriptFile,
  { timers, program, folder, replay, realLimitMs, toSource }: Stage,
): Promise<RunningWorkerd> {
  const lines: string[] = [];
  const running = startWorkerd(program, {
    folder,
    script,
    debugged: false,
    replay,
    takeLine: (line) => lines.push(line),
    fetch: () => Promise.reject(new Error('A replay has no network access.')),
  });
  const loading = running.order('load').catch((error: unknown) => ({ status: 500, text: String(error) }));
  const loaded = await withTimeout(timers, realLimitMs, loading, undefined);
  if (loaded?.status === 200) return running;
  running.kill();
  throw new ScriptLoadError(
    loaded ? toSource([loaded.text, ...lines].join('\n')) : 'The script took too long to load.',
  );
}

async function runOne(
  running: RunningWorkerd,
  call: number,
  { timers, realLimitMs }: Stage,
): Promise<ReplayOutcome> {
  const { response } = running.call({
    id: String(call),
    method: 'GET',
    url: 'http://localhost/',
    headers: [['host', 'localhost']],
  });
  const outcome = response.then(async (answer) => (await answer.json()) as ReplayOutcome);
  try {
    const ended = await withTimeout(timers, realLimitMs, outcome, undefined);
    if (ended) return ended;
    outcome.catch(() => {});
    running.kill();
    return lostOutcome(`It was still running after ${realLimitMs / 1000} s.`);
  } catch (error) {
    running.kill();
    return lostOutcome(`Its process ended: ${String(error)}`);
  }
}
