import type { MaskedOutput } from '../observe/mask-script-output.js';
import type { DefinedIds, OutboundRules } from '../script/script-host.js';
import type { CallRequest, PendingResponse } from '../wire/send-call.js';
import type { ScriptFile } from './script-folder.js';

/** A child process, and the script that it has loaded, if any. */
export interface ScriptProcess {
  pid: number | undefined;
  /** Resolves when the process has started or ended. */
  ready: Promise<unknown>;
  /** Rehearses a call to make the first real call fast. */
  warm(): Promise<void>;
  /**
   * Connects the process, which from now on reports to `output`, including what it has already printed.
   * Rejects with the author's error if the script cannot be loaded.
   */
  load(script: ScriptFile, connected: Connected): Promise<void>;
  /** The ids defined by its script, if known. */
  definedIds(): DefinedIds | undefined;
  /**
   * Whether a connection to the process was lost. Such a process is about to end and accepts no more calls.
   */
  isLost(): boolean;
  request(call: CallRequest): PendingResponse;
  /** The code that has blocked the event loop for more than a second, if known. */
  blocked(): Blocked | undefined;
  /** Resolves when the event loop responds. An endless loop prevents that. */
  ping(): Promise<void>;
  /** Resolves when the script's `waitUntil` work is done or the process has ended. */
  drain(): Promise<void>;
  openInspector(port: number): void;
  closeInspector(): Promise<void>;
  /** Ends the process. `why` is reported instead of the process's own reason. */
  kill(why?: string): void;
  /**
   * Ends the process and everything it has started, even outside its process group. Resolves when it has
   * ended.
   */
  end(): Promise<void>;
  /** Resolves with the exit reason when the process ends. Never rejects. */
  exited: Promise<string>;
}

/** Code that blocks the event loop. */
export interface Blocked {
  /** The call that the code belongs to, if any. */
  callId: string | undefined;
  /** Formatted as `src/index.ts:12:3`. */
  at: string | undefined;
  /** Logs the code for a call that it kept waiting. */
  logFor?(callId: string): void;
}

/** The parts for starting a process, before there is a script for it. */
export interface ProcessParts {
  /** The sandbox's private folder. */
  folder: string;
  /** Whether a debugger may attach. */
  debugged: boolean;
}

/** The parts that a process receives together with its script. */
export interface Connected {
  output: MaskedOutput;
  outbound: OutboundRules;
  /** Masks secrets. */
  mask(text: string): string;
}

/** Runs scripts in Node or in the production runtime. */
export interface ScriptRuntime {
  start(parts: ProcessParts): ScriptProcess;
}

/** A runtime that was found on this machine, with details to display. */
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
