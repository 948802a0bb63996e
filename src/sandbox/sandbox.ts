import { systemClock, type Clock } from '../base/clock.js';
import { envelopeRequest, rawRequest } from './call-request.js';
import { createCallsWithDeadline } from './call-with-deadline.js';
import { createMaskedOutput } from './observe/mask-script-output.js';
import { createScriptFolder, type Script } from './process/script-folder.js';
import { plainOutbound, type OutboundRules, type ScriptHost, type ScriptObserver } from './script-host.js';
import type { ScriptRuntime } from './process/script-process.js';
import { createProcessSupervisor } from './process/process-supervisor.js';

/** How long a call may wait for the head of its response, unless `--timeout` sets it. */
export const defaultTimeoutMs = 30_000;

export interface SandboxOptions {
  /** Where the sandbox makes its private folder. */
  folder: string;
  runtime: ScriptRuntime;
  observer: ScriptObserver;
  clock?: Clock;
  /** How long a call may wait for the head of its answer. */
  timeoutMs?: number;
  outbound?: () => OutboundRules;
  /** The port of a debugger. Calls have no time limit then. */
  inspect?: number;
  /** False if one script is loaded and never replaced: no second process is started for its successor. */
  standby?: boolean;
}

export interface Sandbox extends ScriptHost {
  /** Starts a process ahead of the first `load`, which then does not wait for it. */
  start(): void;
  /**
   * Puts a script in the place of the present one. Rejects with the author's error when it cannot be
   * loaded, and the present one goes on answering. `superseded`: another load came before this was done.
   */
  load(script: Script): Promise<'loaded' | 'superseded'>;
  /** The process that answers now. */
  pid(): number | undefined;
  /** The ids of its components, where the script was made with `createIntegration()`. */
  components(): readonly string[] | undefined;
  /** Resolves when the `waitUntil` work of calls is done. */
  settled(): Promise<void>;
  /** Finishes calls and `waitUntil` work (10 s at most), and leaves nothing running. */
  close(): Promise<void>;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { folder, runtime, observer, clock = systemClock, timeoutMs = defaultTimeoutMs } = options;
  const { inspect, standby = true, outbound = () => plainOutbound } = options;
  const files = createScriptFolder(folder, { maps: inspect !== undefined });
  const output = createMaskedOutput(observer, clock);
  const supervisor = createProcessSupervisor({
    clock,
    files,
    patienceMs: timeoutMs,
    inspect,
    standby,
    say: (text) => output.log({ callId: undefined, level: 'error', text, time: clock.now() }),
    startProcess: () =>
      runtime.start({ folder: files.path, output, outbound, debugged: inspect !== undefined }),
  });
  const calls = createCallsWithDeadline({
    clock,
    supervisor,
    timeoutMs,
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
    components: supervisor.components,
    settled: supervisor.settled,
    call: (call) => calls.send(envelopeRequest(call)),
    raw: (id, request) => calls.send(rawRequest(id, request)),
    close: () => (closed ??= close()),
  };
}
