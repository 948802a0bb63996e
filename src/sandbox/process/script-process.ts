import type { MaskedOutput } from '../observe/mask-script-output.js';
import type { DefinedIds, OutboundRules } from '../script/script-host.js';
import type { CallRequest, PendingResponse } from '../wire/send-call.js';
import type { ScriptFile } from './script-folder.js';

/** A child process and the script that it has loaded, if any. */
export interface ScriptProcess {
  pid: number | undefined;
  /** Resolves when the process has started or ended. */
  ready: Promise<unknown>;
  /** Sends a warm-up call, so that the first real call is fast. */
  warm(): Promise<void>;
  /**
   * Connects the process to `output`, which receives all later reports and anything that the process has already
   * printed. Rejects with the author's error if the script cannot be loaded.
   */
  load(script: ScriptFile, connected: Connected): Promise<void>;
  /** The ids that the script defines, if they are known. */
  definedIds(): DefinedIds | undefined;
  /** Whether a connection to the process has been lost. If so, the process is about to end and accepts no more calls. */
  isLost(): boolean;
  request(call: CallRequest): PendingResponse;
  /** The code that has been blocking the event loop for more than a second, if known. */
  blocked(): Blocked | undefined;
  /** Resolves when the event loop responds. An infinite loop prevents this. */
  ping(): Promise<void>;
  /** Resolves when the script's `waitUntil` work is done or the process has ended. */
  drain(): Promise<void>;
  openInspector(port: number): void;
  closeInspector(): Promise<void>;
  /** Ends the process. `why` is reported instead of the reason that the process itself gives. */
  kill(why?: string): void;
  /**
   * Ends the process and everything it has started, including processes outside its process group. Resolves when the process has
   * ended.
   */
  end(): Promise<void>;
  /** Resolves to the exit reason when the process ends. Never rejects. */
  exited: Promise<string>;
}

/** Code that is blocking the event loop. */
export interface Blocked {
  /** The call that the code belongs to, if any. */
  callId: string | undefined;
  /** A position such as `src/index.ts:12:3`. */
  at: string | undefined;
}

/** Everything needed to start a process before it is known which script the process will run. */
export interface ProcessParts {
  /** The sandbox's private folder. */
  folder: string;
  /** Whether a debugger may attach. */
  debugged: boolean;
}

/** What a process receives along with its script. */
export interface Connected {
  output: MaskedOutput;
  outbound: OutboundRules;
  mask(text: string): string;
}

/** Runs scripts in Node or in the production runtime. */
export interface ScriptRuntime {
  start(parts: ProcessParts): ScriptProcess;
}

/** A runtime that was found on this machine, with details to show to the user. */
export interface FoundRuntime<Facts> extends ScriptRuntime {
  facts: Facts;
}

export interface NodeFacts {
  name: 'node';
}

export interface WorkerdFacts {
  name: 'workerd';
  version: string;
  compatibilityDate: string;
  compatibilityFlags: readonly string[];
}

export type RuntimeFacts = NodeFacts | WorkerdFacts;
