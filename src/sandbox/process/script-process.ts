import type { MaskedOutput } from '../observe/mask-script-output.js';
import type { OutboundRules } from '../script-host.js';
import type { CallRequest, PendingResponse } from '../wire/send-call.js';
import type { ScriptFile } from './script-folder.js';

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
  output: Pick<MaskedOutput, 'log' | 'outbound' | 'background' | 'line'>;
  outbound: () => OutboundRules;
  /** A debugger may attach. */
  debugged: boolean;
}

/** What runs scripts: Node, or the runtime of production. */
export interface ScriptRuntime {
  start(parts: ProcessParts): ScriptProcess;
}
