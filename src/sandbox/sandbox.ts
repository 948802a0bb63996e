import { systemClock, type Timers } from '../base/clock.js';
import { envelopeRequest, rawRequest } from './call-request.js';
import { createCallsWithDeadline } from './call-with-deadline.js';
import { createMaskedOutput } from './observe/mask-script-output.js';
import { createScriptFolder, type Script } from './process/script-folder.js';
import {
  plainOutbound,
  type DefinedIds,
  type OutboundRules,
  type ScriptHost,
  type ScriptObserver,
} from './script-host.js';
import type { ScriptRuntime } from './process/script-process.js';
import { createProcessSupervisor } from './process/process-supervisor.js';

/** How long a call may wait for its response headers, unless `--timeout` sets it. */
export const defaultTimeoutMs = 30_000;

export interface SandboxOptions {
  /** The folder in which the sandbox creates its private folder. */
  folder: string;
  runtime: ScriptRuntime;
  observer: ScriptObserver;
  timers?: Timers;
  /** The time of log lines. */
  now?: () => number;
  /** How long a call may wait for its response headers. */
  timeoutMs?: number;
  /** The option of the command that sets `timeoutMs`, for its hint. */
  timeoutOption?: string;
  outbound?: () => OutboundRules;
  /** The debugger's port. If it is set, calls have no time limit. */
  inspect?: number;
  /** False if a script is loaded once and never replaced: then no standby process is started. */
  standby?: boolean;
}

export interface Sandbox extends ScriptHost {
  /** Starts a process ahead of the first `load`, so that `load` does not wait for it. */
  start(): void;
  /**
   * Replaces the current script. Rejects with the author's error if the new one cannot be loaded; the
   * current one then keeps serving calls. `superseded`: another `load` was called before this one was done.
   */
  load(script: Script): Promise<'loaded' | 'superseded'>;
  /** The id of the process that serves calls now. */
  pid(): number | undefined;
  /** The ids that the script defines, if it was made with `createIntegration()`. */
  definedIds(): DefinedIds | undefined;
  /** Resolves when the `waitUntil` work of calls is done. */
  settled(): Promise<void>;
  /** The number of calls whose response is not complete. */
  unfinishedCalls(): number;
  /** Ends these calls. Their `waitUntil` work continues. */
  cutCalls(): void;
  /** Finishes calls and `waitUntil` work (10 s at most), and ends all processes. */
  close(): Promise<void>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const {
    folder,
    runtime,
    observer,
    timers = systemClock,
    now = Date.now,
    timeoutMs = defaultTimeoutMs,
  } = options;
  const { inspect, standby = true, outbound = () => plainOutbound } = options;
  const files = createScriptFolder(folder, { maps: inspect !== undefined });
  const output = createMaskedOutput(observer, timers, now);
  const supervisor = createProcessSupervisor({
    timers,
    files,
    patienceMs: timeoutMs,
    inspect,
    standby,
    logError: (text) => output.log({ callId: undefined, level: 'error', text, time: now() }),
    startProcess: () =>
      runtime.start({ folder: files.path, output, outbound, debugged: inspect !== undefined }),
  });
  const calls = createCallsWithDeadline({
    timers,
    supervisor,
    timeoutMs,
    timeoutOption: options.timeoutOption,
    unlimited: inspect !== undefined,
  });

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await supervisor.close();
    calls.close();
    files.remove();
  };

  return {
    start: supervisor.start,
    load: supervisor.load,
    pid: supervisor.pid,
    definedIds: supervisor.definedIds,
    settled: supervisor.settled,
    call: (call) => calls.send(envelopeRequest(call)),
    raw: (id, request) => calls.send(rawRequest(id, request)),
    unfinishedCalls: calls.unfinished,
    cutCalls: calls.cut,
    close: () => (closed ??= close()),
  };
}
