import type { MaskedOutput } from '../observe/mask-script-output.js';
import type { DefinedIds, OutboundRules } from '../script-host.js';
import type { CallRequest, PendingResponse } from '../wire/send-call.js';
import type { ScriptFile } from './script-folder.js';

/** One child process, and the script that it has loaded, if any. */
export interface ScriptProcess {
  pid: number | undefined;
  /** Resolves when the process has started or ended. */
  ready: Promise<unknown>;
  /** Rehearses a call, so that the first real one is fast. */
  warm(): Promise<void>;
  /** Rejects with the author's error when the script cannot be loaded. */
  load(script: ScriptFile): Promise<void>;
  /** The ids that its script defines, if they are known. */
  definedIds(): DefinedIds | undefined;
  /** Whether a connection to the process was lost. It is about to end and accepts no more calls. */
  isLost(): boolean;
  request(call: CallRequest): PendingResponse;
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

/** What the sandbox passes to a script's process. */
export interface ProcessParts {
  /** The sandbox's private folder. */
  folder: string;
  output: Pick<MaskedOutput, 'log' | 'outbound' | 'background' | 'line'>;
  outbound: () => OutboundRules;
  /** Whether a debugger may attach. */
  debugged: boolean;
}

/** Runs scripts: in Node, or in the runtime of production. */
export interface ScriptRuntime {
  start(parts: ProcessParts): ScriptProcess;
}
