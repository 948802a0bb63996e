import { createDeferred } from '../deferred.js';
import { limitOutput } from '../process/limit-reports.js';
import type { ProcessParts } from '../process/script-process.js';
import { parseJson } from '../../base/parse-json.js';
import { readBackground } from '../wire/read-report.js';
import type { ScriptOutbound } from '../script-host.js';
import { LONGEST_SENT } from '../wire/control-channel.js';
import { BACKGROUND, LOAD_FAILED } from './line-mark.js';
import { readOutput } from './read-output.js';

/** Turns the output of one process into log entries. */
export interface WorkerdLog {
  begin(callId: string): void;
  takeLine(line: string): void;
  outbound(entry: ScriptOutbound): void;
  /**
   * Call this when the script has loaded. Before that, an error of the runtime is the reason why it failed
   * to load, and is not logged.
   */
  loaded(): void;
  /** Resolves to the author's error if the script failed to load. */
  loadFailed: Promise<string>;
  /** The last error that the runtime reported: the reason, if the process has ended. */
  lastError(): string | undefined;
}

export function createWorkerdLog(
  output: Pick<ProcessParts['output'], 'log' | 'outbound' | 'background'>,
  { memoryMb, toSource }: { memoryMb: number; toSource(text: string): string },
): WorkerdLog {
  const limited = limitOutput(output, () => performance.now());
  const loadFailed = createDeferred<string>();
  let loading = true;
  let lastError: string | undefined;

  return {
    begin: limited.begin,
    outbound: limited.outbound,
    loaded: () => void (loading = false),
    loadFailed: loadFailed.promise,
    lastError: () => lastError,
    takeLine(written) {
      const line = readOutput(written);
      const text = toSource(line.text);
      const callId = line.from === 'script' ? line.callId : undefined;
      if (callId?.startsWith(BACKGROUND)) {
        const span = parseJson(line.text, {});
        const entry = readBackground({ ...(span as object), callId: callId.slice(BACKGROUND.length) });
        return entry && limited.background(entry);
      }
      if (callId === LOAD_FAILED) return loadFailed.resolve(text);
      if (line.from === 'runtime') {
        if (line.level === 'error') lastError = line.fatal ? describeFatal(text, memoryMb) : text;
        if (loading || line.fatal) return;
      }
      limited.log({ callId, level: line.level, text: text.slice(0, LONGEST_SENT), time: Date.now() });
    },
  };
}

const describeFatal = (text: string, memoryMb: number): string =>
  /out of memory|heap limit/i.test(text)
    ? `it needed more than ${memoryMb} MB of memory`
    : `the runtime failed (${text.slice(0, 300)})`;
