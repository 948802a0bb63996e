// Runs in the process that replays recorded calls. It works like the process that serves calls, but it uses the time and random
// values from the recording, and has no network access.

import { readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import process from 'node:process';
import { setImmediate, setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { parseJson } from '../../base/parse-json.js';
import { captureConsole } from '../observe/capture-console.js';
import { describeAll, describeError } from '../observe/describe-error.js';
import { currentRun } from '../replay/call-run.js';
import { installRepeatableGlobals } from '../replay/repeatable-globals.js';
import { createReplayFetch } from '../replay/replay-fetch.js';
import type { ReplayJob, ReplayOrder, ReplayReport } from '../replay/replay-types.js';
import { runCall, type ReplayMachine } from '../replay/run-call.js';
import { checkScript, type ScriptModule } from '../script/call-script.js';
import { eachLine } from '../wire/control-channel.js';
import { defineWorkerGlobals, guardLoading, refuseCode } from './production-globals.js';
import { startWatchdog } from './watchdog.js';

const ORDERS_FD = 3;
const LIFELINE_FD = 4;
const REPORTS_FD = 5;

const [, , folder = '', version = ''] = process.argv;
const reports = new Socket({ fd: REPORTS_FD });
const report = (message: ReplayReport): void => void reports.write(`${JSON.stringify(message)}\n`);

startWatchdog({ fd: LIFELINE_FD, folder, callId: () => undefined });

const LONGEST_LINE = 64 * 1024;
const MOST_LINES = 1000;

const log = (level: 'debug' | 'info' | 'warn' | 'error', text: string): void => {
  const logs = currentRun()?.outcome.logs;
  if (logs && logs.length < MOST_LINES) logs.push({ level, text: text.slice(0, LONGEST_LINE) });
};
const machine: ReplayMachine = {
  turn: () => new Promise((resolve) => void setImmediate(resolve)),
  wait: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  reportError: (...values) => log('error', describeAll(values)),
};

captureConsole(console, { take: log });
process.on('unhandledRejection', (error) =>
  log('error', `Unhandled promise rejection: ${describeError(error)}`),
);
process.on('uncaughtException', (error) => log('error', `Uncaught error: ${describeError(error)}`));

const orders = new Socket({ fd: ORDERS_FD });
eachLine(orders.setEncoding('utf8'), (line) => void run(parseJson(line, undefined) as ReplayOrder));
orders.on('error', () => {});

async function run({ script: file, job: jobFile, from }: ReplayOrder): Promise<void> {
  const { now, calls } = JSON.parse(readFileSync(jobFile, 'utf8')) as ReplayJob;
  cutNetwork();
  installRepeatableGlobals({ now, timerObjects: true });
  globalThis.fetch = createReplayFetch();
  defineWorkerGlobals(version);
  refuseCode();
  const whileLoading = guardLoading();
  const load = async (query = ''): Promise<ScriptModule> => {
    const module = await whileLoading<{ default?: unknown }>(
      () => import(`${pathToFileURL(file).href}${query}`) as Promise<{ default?: unknown }>,
    );
    return checkScript(module.default);
  };
  try {
    let script = await load();
    report({ type: 'ready' });
    for (const [index, call] of calls.entries()) {
      if (index < from) continue;
      // Written immediately, because an infinite loop may follow.
      report({ type: 'begin', call: index });
      if (call.fresh) script = await load(`?call=${index}`);
      report({ type: 'end', call: index, outcome: await runCall(script, call, machine) });
    }
    report({ type: 'done' });
    reports.end(() => process.exit(0));
  } catch (error) {
    report({ type: 'load-failed', error: describeError(error).slice(0, LONGEST_LINE) });
  }
}

/** Blocks the method that all network access goes through. */
function cutNetwork(): void {
  Socket.prototype.connect = function (this: Socket) {
    return this.destroy(new Error('Replays have no network access.'));
  };
}
