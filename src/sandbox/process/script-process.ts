import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { platform } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import { REHEARSAL, type AnswerHead, type CallHead } from '../wire/call-head.js';
import { systemClock } from '../../base/clock.js';
import { createControlChannel, eachLine, type Order, type Report } from '../wire/control-channel.js';
import { describeError } from '../observe/describe-error.js';
import { MARKER } from './descendants.js';
import { endGroup, endTree } from './end-tree.js';
import { limitOutput } from './limit-reports.js';
import { sendCall, type PendingResponse, type CallRequest } from '../wire/send-call.js';
import { createConnection } from '../wire/connection.js';
import type { MaskedOutput } from '../observe/mask-script-output.js';
import { readReport } from '../wire/read-report.js';
import type { ScriptFile } from './script-folder.js';
import type { OutboundReroute, ScriptLog } from '../script-host.js';
import { createStackMapper } from './stack-map.js';
import { withTimeout } from '../../base/with-timeout.js';

/** One child process and the script in it, if it has one yet. */
export interface ScriptProcess {
  pid: number | undefined;
  /** Resolves when it has started, or is gone. */
  ready: Promise<unknown>;
  /** Rehearses a call, so that the first real one is not the first. */
  warm(): Promise<void>;
  /** Rejects with the author's error when the script cannot be loaded. */
  load(script: ScriptFile): Promise<void>;
  /** The ids of the components of its script, where that is known. */
  components(): readonly string[] | undefined;
  /** A connection to it has broken: it is about to end, and takes no more calls. */
  isLost(): boolean;
  request(call: CallRequest): PendingResponse;
  /** Resolves when the event loop answers, which an endless loop never lets it do. */
  ping(): Promise<void>;
  /** Resolves when the script's `waitUntil` work is done, or the process is gone. */
  drain(): Promise<void>;
  openInspector(port: number): void;
  closeInspector(): Promise<void>;
  /** `why`, in words, where it is not for the script to tell. */
  kill(why?: string): void;
  /** Ends it with all that it has started, also what has left its process group. Resolves when it is gone. */
  end(): Promise<void>;
  /** Settles, never rejects, when the process is gone: why, in words. */
  exited: Promise<string>;
}

/** What a script's process gets from the sandbox that starts it. */
export interface ProcessParts {
  /** The sandbox's private folder. */
  folder: string;
  output: Pick<MaskedOutput, 'log' | 'outbound' | 'line'>;
  reroutes: () => OutboundReroute[];
  /** A debugger may attach. */
  debugged: boolean;
}

/** What runs scripts: Node, or the runtime of production. */
export interface ScriptRuntime {
  start(parts: ProcessParts): ScriptProcess;
}

interface NodeProgram {
  /** The Node that runs it (`process.execPath`). */
  node: string;
  /** The program of the child process: `dist/sandbox/child/main.js`. */
  childFile: string;
  /** The platform's, which scripts read from `navigator.userAgent`. */
  version: string;
}

export const nodeRuntime = (program: NodeProgram): ScriptRuntime => ({
  start: (parts) => startNodeProcess(program, parts),
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

/** How long a process may outlive its connection: most are about to end, and their way to do it is told. */
const EXIT_KNOWN_MS = 200;

/** How long its watchdog may take to end it before the platform does. */
const END_MS = 500;

type Reply = Exclude<Report['type'], 'log' | 'outbound'>;

function startNodeProcess(
  { node, childFile, version }: NodeProgram,
  { folder, output, reroutes }: ProcessParts,
): ScriptProcess {
  const mark = randomUUID();
  const child = spawn(node, [childFile, folder, version], {
    // Always there, and no place to leave files in.
    cwd: '/',
    env: { [MARKER]: mark },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'overlapped'],
    // Ctrl-C in the terminal is for the platform alone: the script finishes its work first.
    detached: platform() !== 'win32',
    windowsHide: true,
  });
  const [, stdout, stderr, control, lifeline, calls] = child.stdio as unknown as [
    null,
    Readable,
    Readable,
    Socket,
    Duplex,
    Duplex,
  ];
  const replies = new Map<Reply, ((report: Report) => void)[]>();
  let toSource = (text: string): string => text;

  let stopped: string | undefined;
  const kill = (why?: string): void => {
    stopped ??= why;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      endTree(child.pid, `${MARKER}=${mark}`);
  };
  /** Whatever the script writes, it ends its own process at most. */
  const contain =
    <Written>(take: (written: Written) => void) =>
    (written: Written): void => {
      try {
        take(written);
      } catch (error) {
        kill(`the platform could not read what it wrote (${describeError(error)})`);
      }
    };

  const limited = limitOutput(output, () => performance.now());
  const takeReport = (report: Report): void => {
    if (report.type === 'log') limited.log({ ...report.entry, text: toSource(report.entry.text) });
    else if (report.type === 'outbound') limited.outbound(report.entry);
    else replies.get(report.type)?.shift()?.(report);
  };
  const takeErrorLine = (written: string): void => {
    const line = readErrorLine(written);
    if (line) output.line(line.level, toSource(line.text));
  };
  for (const stream of child.stdio) stream?.on('error', () => {});
  const damaged = (): void =>
    kill('it wrote into its connection with the platform, so the platform stopped it');
  const read = (value: unknown): Report | undefined => {
    const report = readReport(value);
    if (!report) damaged();
    return report;
  };
  const channel = createControlChannel<Order, Report>(control, read, contain(takeReport));
  eachLine(
    stdout.setEncoding('utf8'),
    contain((text) => output.line('info', text)),
  );
  eachLine(stderr.setEncoding('utf8'), contain(takeErrorLine));
  const link = createConnection<CallHead, AnswerHead>(calls, { damaged });

  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`it could not be started (${error.message})`));
    child.once('exit', (code, signal) =>
      resolve(stopped ?? (signal ? `ended by ${signal}` : `exit code ${code}`)),
    );
  });
  let ending = false;
  void exited.then(() => {
    if (child.pid === undefined) return;
    // Its watchdog has ended what it started, unless it went on its own.
    if (ending) endGroup(child.pid);
    else endTree(child.pid, `${MARKER}=${mark}`);
  });
  let lost = false;
  for (const connection of [control, calls]) {
    connection.once('close', () => {
      lost = true;
      void withTimeout(systemClock, EXIT_KNOWN_MS, exited, 'unreachable').then(() =>
        kill('its connection with the platform broke, so the platform stopped it'),
      );
    });
  }

  /** What the child reports next of these kinds, or how it ended. */
  const reply = (...types: Reply[]): Promise<Report | string> =>
    Promise.race([
      exited,
      ...types.map(
        (type) =>
          new Promise<Report>((resolve) => replies.set(type, [...(replies.get(type) ?? []), resolve])),
      ),
    ]);
  const order = (message: Order, ...types: Reply[]): Promise<Report | string> => {
    const answer = reply(...types);
    channel.send(message);
    return answer;
  };

  const request = (call: CallRequest): PendingResponse => {
    limited.begin(call.id);
    return sendCall(link, call);
  };
  const ready = reply('ready');

  let components: readonly string[] | undefined;
  let warmed: Promise<void> | undefined;
  const rehearse = async (): Promise<void> => {
    try {
      await (await request(rehearsal).response).text();
    } catch {
      // It has ended: whoever needs it will see.
    }
  };

  return {
    pid: child.pid,
    exited,
    ready,
    warm: () => (warmed ??= rehearse()),
    async load({ file, map }) {
      toSource = createStackMapper({ file, map, hidden: [childFile] });
      const answer = await order({ type: 'load', file, reroutes: reroutes() }, 'loaded', 'load-failed');
      if (typeof answer === 'string') throw new Error(`The script's process ended while loading: ${answer}.`);
      if (answer.type === 'load-failed') throw new Error(toSource(answer.text));
      if (answer.type === 'loaded') components = answer.components;
    },
    components: () => components,
    isLost: () => lost,
    request,
    ping: async () => void (await order({ type: 'ping' }, 'pong')),
    drain: async () => void (await order({ type: 'drain' }, 'drained')),
    openInspector: (port) => channel.send({ type: 'open-inspector', port }),
    closeInspector: async () => void (await order({ type: 'close-inspector' }, 'inspector-closed')),
    kill,
    async end() {
      ending = true;
      lifeline.write('.');
      await withTimeout(systemClock, END_MS, exited, 'late');
      kill();
      await exited;
    },
  };
}

/** A line of standard error. Node tells of its debugger there: only that it could not start is an error. */
function readErrorLine(text: string): Pick<ScriptLog, 'level' | 'text'> | undefined {
  if (text.startsWith('For help, see: https://nodejs.org/')) return undefined;
  if (/^Debugger (?:listening on |attached|ending on )|^Waiting for the debugger to /.test(text))
    return { level: 'info', text };
  if (/^Starting inspector on \S+ failed: /.test(text))
    return { level: 'error', text: `${text}. Name another port with --inspect <port>.` };
  return { level: 'error', text };
}
