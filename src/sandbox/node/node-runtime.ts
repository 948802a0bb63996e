import { systemClock, type Timers } from '../../base/clock.js';
import { readThrownError } from '../../base/text/thrown-error.js';
import { nothingElseRuns } from '../../protocol/blocked-script-message.js';
import { disguiseRequest } from '../observe/disguise-request.js';
import type { MaskedOutput } from '../observe/mask-script-output.js';
import { limitOutput } from '../process/limit-reports.js';
import type { Blocked, ProcessParts, ScriptProcess, ScriptRuntime } from '../process/script-process.js';
import { createSourceFrames } from '../process/source-frame.js';
import { createStackMapper } from '../process/stack-map.js';
import type { DefinedIds, ScriptLog } from '../script/script-host.js';
import { REHEARSAL, type ResponseHead, type CallHead } from '../wire/call-head.js';
import { createConnection } from '../wire/connection.js';
import { readMemory } from '../wire/read-report.js';
import { sendCall, type CallRequest, type PendingResponse } from '../wire/send-call.js';
import { createChildControl } from './control-child.js';
import { spawnChild, type NodeProgram } from './spawn-child.js';

export const nodeRuntime = (program: NodeProgram, timers: Timers = systemClock): ScriptRuntime => ({
  start: (parts) => startNodeProcess(program, parts, timers),
});

const rehearsal: CallRequest = {
  id: REHEARSAL,
  method: 'POST',
  url: 'http://localhost/v1',
  headers: [
    ['host', 'localhost'],
    ['content-length', '2'],
  ],
  body: new TextEncoder().encode('{}'),
};

function startNodeProcess(program: NodeProgram, { folder }: ProcessParts, timers: Timers): ScriptProcess {
  const child = spawnChild(program, folder, timers);
  const { pipes, exited, isLost, kill, end } = child;
  let toSource = (text: string): string => text;
  let mask = toSource;
  let withFrame = (entry: ScriptLog): ScriptLog => entry;
  const output = createKeptOutput();
  const heapDump = createHeapDump((why) => kill(why));
  let blocked: Blocked | undefined;
  const limited = limitOutput({ ...output, log: (entry) => output.log(withFrame(entry)) }, () =>
    performance.now(),
  );
  const damaged = (): void =>
    kill("the script wrote to the process's connection with the platform, so the platform stopped it");
  const { send, reply, order } = createChildControl(child, {
    log: (entry) => limited.log({ ...entry, text: toSource(entry.text) }),
    outbound({ stack = '', ...entry }) {
      const { position } = readThrownError(toSource(stack));
      if (position) entry.at = { file: position.path, line: position.line, column: position.column };
      limited.outbound(entry);
    },
    background: limited.background,
    stdout: (text) => output.line('info', text),
    blocked({ callId, stack }) {
      // The stack starts with frames of the sampling code itself.
      const frames = toSource(stack).replaceAll(/^(?!\s+at ).*\n?|^\s+at <anonymous>:1:\d+\n?/gm, '');
      const { position } = readThrownError(`\n${frames}`);
      const at = position && `${position.path}:${position.line}:${position.column}`;
      blocked = { callId, at };
      const why = callId === undefined ? 'the script is busy' : 'this call keeps the script busy';
      const text = `${nothingElseRuns}${why}.\n${frames}`.trimEnd();
      limited.log({ callId, level: 'error', text, time: Date.now() });
      output.blocked?.(blocked);
    },
    unblocked: () => (blocked = undefined),
    disguise: (parts) => disguiseRequest(parts, mask),
    stderr(written) {
      if (heapDump.take(written)) return;
      const line = readErrorLine(written);
      if (line) output.line(line.level, toSource(line.text));
    },
    damaged,
  });
  const link = createConnection<CallHead, ResponseHead>(pipes.calls, { damaged });

  const request = (call: CallRequest): PendingResponse => {
    limited.begin(call.id);
    return sendCall(link, call, (head) => {
      const memory = readMemory(head.memory);
      if (memory) output.memory?.({ callId: call.id, ...memory });
    });
  };

  let ids: DefinedIds | undefined;
  let warmed: Promise<void> | undefined;
  const rehearse = async (): Promise<void> => {
    try {
      await (await request(rehearsal).response).text();
    } catch {
      // The process has ended, which the next call will report.
    }
  };

  return {
    pid: child.pid,
    exited,
    ready: reply('ready'),
    warm: () => (warmed ??= rehearse()),
    async load({ file, map }, connected) {
      toSource = createStackMapper({ file, map, hidden: [program.childFile] });
      withFrame = createSourceFrames(map);
      output.connect(connected.output);
      const { outbound } = connected;
      ({ mask } = connected);
      const report = await order({ type: 'load', file, outbound }, 'loaded', 'load-failed');
      if (typeof report === 'string') throw new Error(`The script's process ended while loading: ${report}.`);
      if (report.type === 'load-failed') throw new Error(toSource(report.text));
      if (report.type === 'loaded') ({ ids } = report);
    },
    definedIds: () => ids,
    isLost,
    blocked: () => blocked,
    request,
    ping: async () => void (await order({ type: 'ping' }, 'pong')),
    drain: async () => void (await order({ type: 'drain' }, 'drained')),
    openInspector: (port) => send({ type: 'open-inspector', port }),
    closeInspector: async () => void (await order({ type: 'close-inspector' }, 'inspector-closed')),
    kill,
    end,
  };
}

/** Buffers the reports that a process sends before its first `load`, because no observer exists until then. */
function createKeptOutput(): MaskedOutput & { connect(output: MaskedOutput): void } {
  let connected: MaskedOutput | undefined;
  const kept: ((output: MaskedOutput) => void)[] = [];
  const pass = (report: (output: MaskedOutput) => void): void => {
    if (connected) report(connected);
    else kept.push(report);
  };
  return {
    log: (entry) => pass((output) => output.log(entry)),
    outbound: (entry) => pass((output) => output.outbound(entry)),
    background: (entry) => pass((output) => output.background(entry)),
    blocked: (by) => pass((output) => output.blocked?.(by)),
    memory: (used) => pass((output) => output.memory?.(used)),
    line: (level, text) => pass((output) => output.line(level, text)),
    connect(output) {
      connected = output;
      for (const report of kept.splice(0)) report(output);
    },
  };
}

/**
 * Parses the output that V8 prints when its heap is full, which says nothing about the author's code. `take` returns
 * whether a line is part of that output.
 */
function createHeapDump(full: (why: string) => void): { take(line: string): boolean } {
  let isDump = false;
  let megabytes: string | undefined;
  return {
    take(line) {
      isDump ||= line.includes('<--- Last few GCs --->');
      if (!isDump) return false;
      megabytes = / -> (\d+)\.\d+ \(/.exec(line)?.[1] ?? megabytes;
      if (line.includes('heap out of memory')) {
        const size =
          megabytes === undefined ? '' : ` with ${Number(megabytes).toLocaleString('en')} MB in its heap`;
        full(`it ran out of memory${size}`);
      }
      return true;
    },
  };
}

/**
 * Reads a line from standard error, where Node also writes debugger messages. The only debugger message that is an
 * error says that the debugger could not start.
 */
function readErrorLine(text: string): Pick<ScriptLog, 'level' | 'text'> | undefined {
  if (text.startsWith('For help, see: https://nodejs.org/')) return undefined;
  if (/^Debugger (?:listening on |attached|ending on )|^Waiting for the debugger to /.test(text))
    return { level: 'info', text };
  if (/^Starting inspector on \S+ failed: /.test(text))
    return { level: 'error', text: `${text}. Choose another port with --inspect <port>.` };
  return { level: 'error', text };
}
