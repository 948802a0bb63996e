import { systemClock, type Timers } from '../../base/clock.js';
import { createDeadlines, withTimeout } from '../../base/deadlines.js';
import { errorMessage } from '../../base/text/error-message.js';
import { createMaskedOutput } from '../observe/mask-script-output.js';
import type { Script, ScriptFile } from '../process/script-folder.js';
import type { Connected, ScriptProcess } from '../process/script-process.js';
import {
  plainOutbound,
  type DefinedIds,
  type OutboundRules,
  type ScriptCall,
  type ScriptHost,
  type ScriptObserver,
} from '../script/script-host.js';
import { connectionHeaders, type CallRequest } from '../wire/send-call.js';
import { encodeEnvelope } from '../../protocol/envelope/encode-envelope.js';
import { LoadedProcess, WAIT_UNTIL_MS } from './loaded-process.js';
import {
  callWithDeadline,
  defaultTimeoutMs,
  errorResponse,
  type CallDeadlines,
} from './call-with-deadline.js';
import { crashNotice, crashReason, restartDelay } from './crash-loop.js';
import { ScriptLoadError, tooLong } from '../process/script-load-error.js';
import type { ProcessPool } from './process-pool.js';

/** Why there is no script, and the status of the response to calls. */
export interface NoScript {
  error: string;
  status: number;
  /** The status for calls that are not HTTP requests. */
  eventStatus: number;
}

export interface ScriptRunnerOptions {
  /** The processes for the scripts. The first one may have been started ahead of time. */
  processes: ProcessPool;
  observer: ScriptObserver;
  /** How to handle the script's outbound requests. */
  outbound?: OutboundRules;
  timers?: Timers;
  /** The clock that is used for log lines. */
  now?: () => number;
  /** How many milliseconds the script's clock is ahead of the machine's. */
  ahead?: () => number;
  /** How long a call may wait for response headers, and how long a script may take to load. */
  timeoutMs?: number;
  /** The command-line option that sets `timeoutMs`, for use in a hint. */
  timeoutOption?: string;
  /** The response to calls until the first script has loaded. By default, calls wait for the script to load. */
  noScript?: NoScript;
}

const STANDBY_AFTER_MS = 20;

/**
 * Runs the author's script in a series of separate processes, and passes calls to them. The runner has three
 * independent parts:
 *
 * - Serving: one process receives every new call. Without a process, calls receive the reason. A process that ends
 *   unexpectedly is replaced by one with the same script, after a delay if this happens repeatedly.
 * - Loading: each `load`, `unload` and `close` begins a turn. If an earlier turn finishes after a new one has begun, its
 *   result is dropped. If no process is serving calls, calls wait for the processes that are loading.
 * - Retiring: processes that have been replaced finish their calls and `waitUntil` work, then end.
 */
export class ScriptRunner implements ScriptHost {
  readonly #processes: ProcessPool;
  #connected: Connected;
  readonly #timers: Timers;
  readonly #limits: CallDeadlines;
  readonly #logError: (text: string) => void;
  readonly #ahead: () => number;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  #serving: LoadedProcess | undefined;
  /** The script that a new process loads if the current one crashes. */
  #script: ScriptFile | undefined;
  /** Set while there is intentionally no script. Calls then receive this reason instead of waiting for a process. */
  #noScript: NoScript | undefined;
  /** Why there is no process, unless one is loading. */
  #reason = 'No script has been loaded yet.';
  /** How many processes in a row have ended without completing a call. */
  #crashes = 0;

  #turn = 0;
  /** Processes that are loading. Each has a promise that resolves when the process has loaded or failed. */
  readonly #loading = new Map<ScriptProcess, Promise<void>>();

  readonly #retiring = new Map<LoadedProcess, Promise<void>>();

  constructor(options: ScriptRunnerOptions) {
    const { processes, observer, outbound = plainOutbound, timers = systemClock, now = Date.now } = options;
    const { timeoutMs = defaultTimeoutMs, timeoutOption } = options;
    const output = createMaskedOutput(observer, timers, now);
    this.#processes = processes;
    this.#connected = { output, outbound, mask: observer.mask };
    this.#timers = timers;
    this.#ahead = options.ahead ?? (() => 0);
    this.#logError = (text) => output.log({ callId: undefined, level: 'error', text, time: now() });
    this.#noScript = options.noScript;
    this.#limits = {
      deadlines: createDeadlines(timers, timeoutMs),
      timeoutMs,
      timeoutOption,
      unlimited: processes.inspect !== undefined,
      unfinished: new Set(),
    };
  }

  async call(call: ScriptCall): Promise<Response> {
    const none = this.#noScript;
    if (!none) return this.#send(envelopeRequest(call));
    return errorResponse(call.event.type === 'fetch' ? none.status : none.eventStatus, none.error);
  }

  async raw(id: string, request: Request): Promise<Response> {
    if (this.#noScript) return errorResponse(this.#noScript.status, this.#noScript.error);
    return this.#send(rawRequest(id, request));
  }

  #send(request: CallRequest): Promise<Response> {
    const ahead = this.#ahead();
    const call = ahead === 0 ? request : { ...request, ahead };
    return callWithDeadline(call, this.#find(), this.#limits);
  }

  /**
   * Resolves to a process for a call, and keeps the process alive for that call. If no process is serving calls,
   * resolves to the reason.
   */
  async #find(): Promise<LoadedProcess | string> {
    for (;;) {
      const serving = this.#serving;
      const doubt = serving?.inDoubt();
      if (doubt) await doubt;
      else if (serving) {
        serving.enter();
        return serving;
      } else if (this.#loading.size > 0) await Promise.race(this.#loading.values());
      else return this.#reason;
    }
  }

  /**
   * Replaces the current script. Rejects with the author's error if the new script cannot be loaded, in which case
   * the current one keeps serving calls. Resolves to `superseded` if `load` or `unload` is called again before this
   * load is done.
   */
  async load(script: Script): Promise<'loaded' | 'superseded'> {
    this.#closing.signal.throwIfAborted();
    const file = this.#processes.write(script);
    const mine = this.#begin();
    try {
      const outcome = await this.#loadFile(file, () => mine === this.#turn);
      if (outcome === 'loaded') this.#crashes = 0;
      else this.#processes.forget(file);
      return mine === this.#turn ? outcome : 'superseded';
    } catch (error) {
      this.#processes.forget(file);
      if (mine === this.#turn) void this.#restart();
      throw error;
    }
  }

  /** Removes the script. Calls in progress still finish. New calls receive the reason until another script has been loaded. */
  unload(reason: NoScript): void {
    this.#begin();
    this.#noScript = reason;
    if (this.#script) this.#processes.forget(this.#script);
    this.#script = undefined;
    this.#retire();
  }

  /** How outbound requests are handled. */
  get outbound(): OutboundRules {
    return this.#connected.outbound;
  }

  /** Changes how outbound requests are handled. The change takes effect at the next `load`. */
  changeOutbound(outbound: OutboundRules): void {
    this.#connected = { ...this.#connected, outbound };
  }

  /** Changes the reason that calls receive while no script is loaded. */
  explain(reason: NoScript): void {
    if (this.#noScript) this.#noScript = reason;
  }

  /** The id of the process that is serving calls. */
  pid(): number | undefined {
    return this.#serving?.process.pid;
  }

  /** The ids defined by the script, if it uses `createIntegration()`. */
  definedIds(): DefinedIds | undefined {
    return this.#serving?.process.definedIds();
  }

  /** The size of the current script. */
  scriptBytes(): number | undefined {
    return this.#script?.bytes;
  }

  /** Resolves when the serving process has finished its `waitUntil` work. */
  async settled(): Promise<void> {
    await this.#serving?.process.drain();
  }

  /** The number of calls whose response is not complete yet. */
  unfinishedCalls(): number {
    return this.#limits.unfinished.size;
  }

  /** Whether `waitUntil` work keeps a replaced process from ending. */
  hasBackgroundWork(): boolean {
    return [...this.#retiring.keys()].some(({ isDraining }) => isDraining);
  }

  /** Ends all unfinished calls, and the process if it is stuck in one of them. Their `waitUntil` work continues. */
  cutCalls(): void {
    for (const call of this.#limits.unfinished)
      call.stop('The platform stopped before the script responded.');
  }

  /** Ends a call, and the process if it is stuck in that call. Returns whether the call was running. */
  stop(id: string): boolean {
    const calls = [...this.#limits.unfinished].filter((call) => call.id === id);
    for (const call of calls) call.stop('This call was stopped with platform stop.');
    return calls.length > 0;
  }

  /** Waits at most 10 s for calls and `waitUntil` work to finish, then ends all processes. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#turn += 1;
    this.#closing.abort(new Error('The sandbox is closed.'));
    this.#reason = 'The platform is stopping.';
    this.#retire();
    await withTimeout(this.#timers, WAIT_UNTIL_MS, Promise.all(this.#retiring.values()), 'late');
    await this.#processes.close();
    this.#limits.deadlines.clear();
  }

  /** Begins the next turn. After that, processes that are still loading are no longer needed. */
  #begin(): number {
    for (const process of this.#loading.keys()) process.kill();
    return (this.#turn += 1);
  }

  /** Loads a script in a process. The process then serves calls, unless it is no longer needed by then. */
  #loadFile(file: ScriptFile, wanted: () => boolean): Promise<'loaded' | 'superseded'> {
    const process = this.#processes.take();
    const task = this.#loadIn(process, file, wanted);
    const settled = task.then(ignore, ignore).then(() => void this.#loading.delete(process));
    this.#loading.set(process, settled);
    void settled.then(() => this.#prepareNext(process)).catch(ignore);
    return task;
  }

  async #loadIn(
    process: ScriptProcess,
    file: ScriptFile,
    wanted: () => boolean,
  ): Promise<'loaded' | 'superseded'> {
    const { timeoutMs } = this.#limits;
    try {
      const loading = process.load(file, this.#connected);
      const loaded = await withTimeout(this.#timers, timeoutMs, loading, 'late');
      if (loaded === 'late') throw new Error(tooLong(timeoutMs));
    } catch (error) {
      process.kill();
      if (wanted()) throw new ScriptLoadError(errorMessage(error));
    }
    if (!wanted()) {
      process.kill();
      return 'superseded';
    }
    this.#serve(process, file);
    return 'loaded';
  }

  #serve(process: ScriptProcess, file: ScriptFile): void {
    const next = new LoadedProcess(process, this.#timers);
    const previous = this.#retire();
    this.#serving = next;
    void process.exited.then((why) => this.#crashed(next, why));
    const { inspect } = this.#processes;
    if (inspect !== undefined) void passInspector(previous, process, inspect);
    if (this.#script && this.#script !== file) this.#processes.forget(this.#script);
    this.#script = file;
    this.#noScript = undefined;
  }

  /** From this point on, no process serves new calls. The previous process finishes the calls it already has. */
  #retire(): ScriptProcess | undefined {
    const previous = this.#serving;
    this.#serving = undefined;
    if (!previous) return undefined;
    const retired = previous.retire(this.#limits.timeoutMs).finally(() => this.#retiring.delete(previous));
    this.#retiring.set(previous, retired);
    return previous.process;
  }

  /** Handles an unexpected exit of the process that was serving calls. */
  #crashed(ended: LoadedProcess, why: string): void {
    if (this.#serving !== ended) return;
    this.#serving = undefined;
    if (ended.hasServed) this.#crashes = 0;
    void this.#recover(why);
  }

  /** Restarts the last working script, unless a newer script loads first. */
  async #recover(why: string): Promise<void> {
    const mine = this.#turn;
    this.#crashes += 1;
    const delay = restartDelay(this.#crashes);
    this.#logError(crashNotice(why, this.#processes.standby ? delay : undefined));
    if (delay > 0) {
      this.#reason = crashReason(why, this.#crashes, delay);
      await this.#timers.sleep(delay, this.#closing.signal).catch(ignore);
    }
    if (mine === this.#turn) await this.#restart();
  }

  async #restart(): Promise<void> {
    const mine = this.#turn;
    const missing = (): boolean => mine === this.#turn && !this.#serving;
    if (!this.#script || !missing()) return;
    try {
      await this.#loadFile(this.#script, missing);
    } catch (error) {
      await this.#recover(errorMessage(error));
    }
  }

  /** Waits a little after a load, because a new script has more urgent work to do at first. */
  async #prepareNext(loaded: ScriptProcess): Promise<void> {
    await this.#timers.sleep(STANDBY_AFTER_MS, this.#closing.signal);
    void loaded.warm();
    if (this.#processes.standby) this.#processes.prepare();
  }
}

/** Gives the debugger's port to the next process once the previous one has released it. */
async function passInspector(
  from: ScriptProcess | undefined,
  to: ScriptProcess,
  port: number,
): Promise<void> {
  await from?.closeInspector();
  to.openInspector(port);
}

const ignore = (): void => {};

/** Packs a call into the multipart request that the script receives. */
function envelopeRequest({ id, event, environment, body, signal }: ScriptCall): CallRequest {
  const envelope = encodeEnvelope({ event, environment, ...(body && { body }) });
  const headers: CallRequest['headers'] = [
    ['host', 'localhost'],
    ['content-type', envelope.contentType],
  ];
  if (envelope.contentLength !== undefined) {
    headers.push(['content-length', String(envelope.contentLength)]);
  }
  return { id, method: 'POST', url: 'http://localhost/v1', headers, body: envelope.body, signal };
}

/** Forwards a hand-written multipart request without changing it. */
function rawRequest(id: string, request: Request): CallRequest {
  const { pathname, search, host } = new URL(request.url);
  const headers: CallRequest['headers'] = [['host', host]];
  for (const [name, value] of request.headers) if (!isReplaced(name)) headers.push([name, value]);
  return {
    id,
    method: request.method,
    url: `http://${host}${pathname}${search}`,
    headers,
    body: request.body ?? undefined,
    signal: request.signal,
  };
}

/** Headers that are always set for the request to the script. */
const isReplaced = (name: string): boolean =>
  name === 'host' || name === 'expect' || connectionHeaders.has(name);
