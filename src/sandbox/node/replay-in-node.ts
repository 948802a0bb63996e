import { writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, type Timers } from '../../base/clock.js';
import { createDeferred } from '../../base/deferred.js';
import { parseJson } from '../../base/parse-json.js';
import { createScriptFolder } from '../process/script-folder.js';
import { createStackMapper } from '../process/stack-map.js';
import type { ReplayOrder, ReplayOutcome, ReplayReport } from '../replay/replay-types.js';
import { atSources, lostOutcome, REAL_LIMIT_MS, type RunReplay } from '../replay/run-replay.js';
import { ScriptLoadError } from '../process/script-load-error.js';
import { eachLine } from '../wire/control-channel.js';
import { spawnChild, type NodeProgram } from './spawn-child.js';

interface Stage {
  timers: Timers;
  program: NodeProgram;
  folder: string;
  /** What to run, as the process reads it. */
  order: ReplayOrder;
  realLimitMs: number;
  signal: AbortSignal | undefined;
  /** Rewrites positions in the bundle to positions in the author's files. */
  toSource(text: string): string;
  take(call: number, outcome: ReplayOutcome): void;
}

/**
 * Replays calls in a Node process without network access. A call that never ends takes down its process, but the
 * remaining calls still run.
 */
export const replayInNode =
  (program: NodeProgram, timers: Timers = systemClock): RunReplay =>
  async (script, job, { signal, realLimitMs = REAL_LIMIT_MS, ended } = {}) => {
    const folder = createScriptFolder(tmpdir(), { maps: false });
    const outcomes: ReplayOutcome[] = [];
    try {
      const file = folder.write(script);
      const jobFile = join(folder.path, 'job.json');
      writeFileSync(jobFile, JSON.stringify(job));
      const mapper = createStackMapper({ file: file.file, map: script.map, hidden: [program.childFile] });
      const toSource = (text: string): string => mapper(text.replaceAll(/\?call=\d+/g, ''));
      while (outcomes.length < job.calls.length) {
        signal?.throwIfAborted();
        await runFrom({
          timers,
          program,
          folder: folder.path,
          order: { script: file.file, job: jobFile, from: outcomes.length },
          realLimitMs,
          signal,
          toSource,
          take(call, outcome) {
            const mapped = atSources(outcome, toSource);
            outcomes[call] = mapped;
            ended?.(call, mapped);
          },
        });
      }
      return outcomes;
    } finally {
      folder.remove();
    }
  };

/** Runs calls until all are done or one of them ends the process. */
async function runFrom(stage: Stage): Promise<void> {
  const { timers, program, folder, order, realLimitMs, signal, toSource, take } = stage;
  const { pipes, exited, kill, end } = spawnChild(program, folder, timers);
  const loadError = createDeferred<string>();
  const printed: string[] = [];
  let running: number | undefined;
  let next = order.from;
  let blockedAt = '';
  let stopWatching = (): void => {};

  const watch = (call: number | undefined): void => {
    stopWatching();
    const done = new AbortController();
    stopWatching = () => done.abort();
    running = call;
    timers.sleep(realLimitMs, done.signal).then(
      () => kill(`It was still running after ${realLimitMs / 1000} s.${blockedAt}`),
      () => {},
    );
  };
  const read = readLines(pipes.calls, (line) => {
    const report = parseJson(line, undefined) as ReplayReport | undefined;
    if (report?.type === 'load-failed') loadError.resolve(report.error);
    else if (report?.type === 'begin') watch(report.call);
    else if (report?.type === 'end' && report.call === running) {
      watch(undefined);
      next = report.call + 1;
      take(report.call, report.outcome);
    } else if (report?.type === 'done') stopWatching();
  });
  void readLines(pipes.lifeline, (line) => {
    const report = parseJson(line, undefined) as { type?: string; stack?: string } | undefined;
    if (report?.type === 'blocked') blockedAt = `\n${report.stack ?? ''}`;
  });
  void readLines(pipes.stderr, (line) => printed.push(line));
  pipes.stdout.resume();
  const stop = (): void => kill('stopped');
  signal?.addEventListener('abort', stop, { once: true });
  pipes.control.write(`${JSON.stringify(order)}\n`);
  watch(undefined);

  const ended = exited.then(async (why) => {
    await read;
    return why;
  });
  const [error, why] = await Promise.race([
    loadError.promise.then((text) => [text, undefined] as const),
    ended.then((text) => [undefined, text] as const),
  ]);
  stopWatching();
  signal?.removeEventListener('abort', stop);
  await end();
  signal?.throwIfAborted();
  if (error !== undefined) throw new ScriptLoadError(toSource(error));
  if (running !== undefined) return take(running, lostOutcome(why ?? ''));
  if (next === order.from) throw new ScriptLoadError(toSource([why, ...printed].join('\n')));
}

/** Resolves when the stream ends. A line can contain a whole response. */
function readLines(stream: Readable, take: (line: string) => void): Promise<void> {
  eachLine(stream.setEncoding('utf8'), take, Infinity);
  return new Promise((resolve) => stream.once('close', resolve));
}
