import { systemClock, type Clock } from '../base/clock.js';
import { encodeEnvelope } from '../protocol/envelope/envelope.js';
import type { CallHead } from './wire/call-head.js';
import { createCallDeadlines } from './process/call-deadlines.js';
import { connectionHeaders, type CallRequest, type PendingResponse } from './wire/send-call.js';
import { createMaskedOutput } from './observe/mask-script-output.js';
import type { Lease } from './process/unfinished-calls.js';
import { createScriptFolder, type Script } from './process/script-folder.js';
import type { OutboundReroute, ScriptHost, ScriptObserver } from './script-host.js';
import type { ScriptProcess, ScriptRuntime } from './process/script-process.js';
import { createProcessSupervisor } from './process/process-supervisor.js';
import { withTimeout } from '../base/with-timeout.js';

export interface SandboxOptions {
  /** Where the sandbox makes its private folder. */
  folder: string;
  runtime: ScriptRuntime;
  observer: ScriptObserver;
  clock?: Clock;
  /** How long a call may wait for the head of its answer. */
  timeoutMs?: number;
  /** Calls of the script's `fetch` that are answered elsewhere. */
  reroutes?: () => OutboundReroute[];
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
  /** Finishes calls and `waitUntil` work (10 s at most), and leaves nothing running. */
  close(): Promise<void>;
}

/** How long the event loop of a process may take to show itself before it counts as stuck. */
const STUCK_AFTER_MS = 1000;
/** How long the end of a process may take to be known once its connections have broken. */
const EXIT_KNOWN_MS = 500;
const READ_MS = 10;

export function createSandbox(options: SandboxOptions): Sandbox {
  const { folder, runtime, observer, clock = systemClock, timeoutMs = 30_000 } = options;
  const { inspect, standby = true, reroutes = () => [] } = options;
  const files = createScriptFolder(folder, { maps: inspect !== undefined });
  const output = createMaskedOutput(observer, clock);
  const deadlines = createCallDeadlines(clock, timeoutMs);
  let verdict: Promise<void> | undefined;
  const succession = createProcessSupervisor({
    clock,
    files,
    patienceMs: timeoutMs,
    inspect,
    standby,
    say: (text) => output.log({ callId: undefined, level: 'error', text, time: clock.now() }),
    startProcess: () =>
      runtime.start({ folder: files.path, output, reroutes, debugged: inspect !== undefined }),
  });

  const send = async (call: CallRequest): Promise<Response> => {
    let seat: Lease | undefined;
    let answer: PendingResponse | undefined;
    let overdue = false;
    const pass = (): void => {
      overdue = true;
      answer?.abandon(new Error('late'));
      if (seat) verdict ??= endIfStuck(seat.process).finally(() => (verdict = undefined));
    };
    const begin = (): (() => void) => (inspect === undefined ? deadlines.begin(pass) : () => {});
    let cancel = begin();
    // A body that is slow to come is not the script's fault.
    let progress = (): void => {
      cancel();
      cancel = begin();
    };
    try {
      await verdict;
      const offered = await succession.seat();
      if (typeof offered === 'string') return refusal(502, offered);
      seat = offered;
      if (overdue) throw new Error('late');
      answer = seat.process.request({ ...call, progress: () => progress() });
      const response = await answer.response;
      succession.proven();
      return response;
    } catch (error) {
      if (overdue) return late(timeoutMs);
      if (call.signal?.aborted) throw error;
      // Connections break a moment before the end of a process is known: the next call should find its successor.
      if (seat) await withTimeout(systemClock, EXIT_KNOWN_MS, seat.process.exited, 'alive');
      return refusal(502, 'The script ended while it was handling this request. Its log says why.');
    } finally {
      cancel();
      progress = () => {};
      if (seat && answer) answer.whenOver(seat.release);
      else seat?.release();
    }
  };

  /** Slow work leaves the event loop free to answer; an endless loop has to be ended. */
  const endIfStuck = async (process: ScriptProcess): Promise<void> => {
    const ping = process.ping();
    const first = await withTimeout(clock, STUCK_AFTER_MS, ping, 'late');
    // Where the platform itself stood still, the answer has come meanwhile, but not been read.
    if (first !== 'late' || (await withTimeout(systemClock, READ_MS, ping, 'late')) !== 'late') return;
    process.kill('it stood still, so the platform stopped it');
    await process.exited;
  };

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await succession.close();
    deadlines.close();
    files.remove();
  };

  return {
    start: succession.start,
    load: succession.load,
    pid: succession.pid,
    components: succession.components,
    call({ id, event, environment, body, signal }) {
      const envelope = encodeEnvelope({ event, environment, ...(body && { body }) });
      const headers: CallHead['headers'] = [
        ['host', 'localhost'],
        ['content-type', envelope.contentType],
      ];
      if (envelope.contentLength !== undefined) {
        headers.push(['content-length', String(envelope.contentLength)]);
      }
      return send({ id, method: 'POST', url: 'http://localhost/v1', headers, body: envelope.body, signal });
    },
    raw(id, request) {
      const { pathname, search, host } = new URL(request.url);
      const headers: CallHead['headers'] = [['host', host]];
      for (const [name, value] of request.headers) if (!isReplaced(name)) headers.push([name, value]);
      return send({
        id,
        method: request.method,
        url: `http://${host}${pathname}${search}`,
        headers,
        body: request.body ?? undefined,
        signal: request.signal,
      });
    },
    close: () => (closed ??= close()),
  };
}

/** Of the request to the platform; the call to the script has its own. */
const isReplaced = (name: string): boolean =>
  name === 'host' || name === 'expect' || connectionHeaders.has(name);

const late = (timeoutMs: number): Response =>
  refusal(
    504,
    `The script gave no answer within ${timeoutMs / 1000} s. Look for an endless loop or a promise that never settles, or raise the limit with --timeout.`,
  );

/** The platform's own answer in place of the script's. */
const refusal = (status: number, error: string): Response => Response.json({ error }, { status });
