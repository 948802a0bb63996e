// Runs in front of the script in workerd while recorded calls are replayed.

import { currentRun } from '../../replay/call-run.js';
import { installRepeatableGlobals } from '../../replay/repeatable-globals.js';
import { createReplayFetch } from '../../replay/replay-fetch.js';
import type { ReplayJob, ReplayLog } from '../../replay/replay-types.js';
import { runCall, type ReplayMachine } from '../../replay/run-call.js';
import { checkScript, type ScriptModule } from '../../script/call-script.js';
import type { WorkerHead, WorkerSettings } from '../worker-protocol.js';
// @ts-expect-error: a module of workerd's configuration
import settings from 'settings.json';

/** The author's script. workerd's configuration uses the same name. */
const SCRIPT = 'script.mjs';

/** Saved before a script or the replay can replace these functions. */
const { Response, setTimeout } = globalThis;
const { IdentityTransformStream } = globalThis as unknown as {
  IdentityTransformStream: typeof TransformStream;
};
const { key, version, replay } = settings as WorkerSettings & { replay: ReplayJob };

const LONGEST_LINE = 64 * 1024;
const MOST_LINES = 1000;

const describe = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return value.stack ?? String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
};
const log = (level: ReplayLog['level'], values: readonly unknown[]): void => {
  const logs = currentRun()?.outcome.logs;
  const text = values.map(describe).join(' ').slice(0, LONGEST_LINE);
  if (logs && logs.length < MOST_LINES) logs.push({ level, text });
};
const levels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'error',
} as const;
for (const [name, level] of Object.entries(levels))
  Object.assign(console, { [name]: (...values: unknown[]) => log(level, values) });
addEventListener('unhandledrejection', (event) =>
  log('error', ['Unhandled promise rejection:', event.reason]),
);

/** A timer would also let workerd wait for outside events, but takes over a millisecond. */
const TURNS_PER_TIMER = 6;
let turns = 0;

async function turn(): Promise<void> {
  turns += 1;
  if (turns % TURNS_PER_TIMER === 0) return new Promise((resolve) => void setTimeout(resolve, 0));
  const { readable, writable } = new IdentityTransformStream();
  void writable.getWriter().write(new Uint8Array(1));
  await readable.getReader().read();
}

const machine: ReplayMachine = {
  turn,
  wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  reportError: (...values) => log('error', values),
};

installRepeatableGlobals({ now: replay.now, timerObjects: false });
globalThis.fetch = createReplayFetch();
const navigator = Object.freeze({ userAgent: `Platform/${version}` });
Object.defineProperty(globalThis, 'navigator', { value: navigator, writable: true, configurable: true });

let script: ScriptModule | undefined;
let loadError = '';
try {
  // Must be the first await, because workerd runs the script's top-level await only at that point.
  script = checkScript(((await import(SCRIPT)) as { default?: unknown }).default);
} catch (error) {
  loadError = describe(error);
}

export default {
  async fetch({ cf }: Request & { cf?: WorkerHead }) {
    if (cf?.key !== key) return new Response('', { status: 403 });
    if (!script) return new Response(loadError, { status: 500 });
    const call = replay.calls[Number(cf.call ?? NaN)];
    if (!call) return new Response('');
    return new Response(JSON.stringify(await runCall(script, call, machine)));
  },
};
