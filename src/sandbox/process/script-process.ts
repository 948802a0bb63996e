import type { MaskedOutput } from '../observe/mask-script-output.js';
import type { DefinedIds, OutboundRules } from '../script/script-host.js';
import type { CallRequest, PendingResponse } from '../wire/send-call.js';
import type { ScriptFile } from './script-folder.js';

/** One child process, and the script that it has loaded, if any. */
export interface ScriptProcess {
  pid: number | undefined;
  /** Resolves when the process has started or ended. */
  ready: Promise<unknown>;
  /** Rehearses a call, so that the first real one is fast. */
  warm(): Promise<void>;
  /**
   * Connects the process, which reports to `output` from now on, also what it has printed before. Rejects with the
   * author's error when the script cannot be loaded.
   */
  load(script: ScriptFile, connected: Connected): Promise<void>;
  /** The ids that its script defines, if they are known. */
  definedIds(): DefinedIds | undefined;
  /** Whether a connection to the process was lost. It is about to end and accepts no more calls. */
  isLost(): boolean;
  request(call: CallRequest): PendingResponse;
  /** The code that has kept the event loop from responding for more than a second, if that is known. */
  blocked(): Blocked | undefined;
  /** Resolves when the event loop responds; an endless loop prevents that. */
  ping(): Promise<void>;
  /** Resolves when the script's `waitUntil` work is done, or the process is gone. */
  drain(): Promise<void>;
  openInspector(port: number): void;
  closeInspector(): Promise<void>;
  /** Ends the process. `why` is the reason to report, if it differs from the process's own. */
  kill(why?: string): void;
  /**
   * Ends the process and everything that it has started, even outside of its process group. Resolves when
   * it has ended.
   */
  end(): Promise<void>;
  /** Resolves to the reason when the process has ended. Never rejects. */
  exited: Promise<string>;
}

/** Code that does not let anything else run. */
export interface Blocked {
  /** The call that it belongs to, if any. */
  callId: string | undefined;
  /** `src/index.ts:12:3` */
  at: string | undefined;
}

/** What a process is started with, before there is a script for it. */
export interface ProcessParts {
  /** The sandbox's private folder. */
  folder: string;
  /** Whether a debugger may attach. */
  debugged: boolean;
}

/** What a process gets together with its script. */
export interface Connected {
  output: MaskedOutput;
  outbound: OutboundRules;
}

/** Runs scripts: in Node, or in the runtime of production. */
export interface ScriptRuntime {
  start(parts: ProcessParts): ScriptProcess;
}

/** A runtime that was found on this machine, and its details to show. */
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
