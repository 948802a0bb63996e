import { createDeferred } from '../../base/deferred.js';
import { limitOutput } from '../process/limit-reports.js';
import type { MaskedOutput } from '../observe/mask-script-output.js';
import { parseJson } from '../../base/parse-json.js';
import { readBackground } from '../wire/read-report.js';
import type { ScriptLog } from '../script/script-host.js';
import { LONGEST_SENT } from '../wire/control-channel.js';
import { BACKGROUND, LOAD_FAILED, readMark } from './line-mark.js';

/** Converts a process's output to log entries. */
export type WorkerdLog = ReturnType<typeof createWorkerdLog>;

export function createWorkerdLog(
  output: Pick<MaskedOutput, 'log' | 'outbound' | 'background'>,
  {
    memoryMb,
    toSource,
    withFrame,
  }: { memoryMb: number; toSource(text: string): string; withFrame(entry: ScriptLog): ScriptLog },
) {
  const limited = limitOutput({ ...output, log: (entry) => output.log(withFrame(entry)) }, () =>
    performance.now(),
  );
  const loadFailed = createDeferred<string>();
  let loading = true;
  let lastError: string | undefined;

  return {
    begin: limited.begin,
    outbound: limited.outbound,
    /**
     * Call this when the script has loaded. Until then, an error from the runtime is treated as the reason why loading
     * failed, and is not logged.
     */
    loaded: () => void (loading = false),
    /** Resolves to the author's error if the script failed to load. */
    loadFailed: loadFailed.promise,
    /** Returns the last error that the runtime reported. If the process has ended, this is why. */
    lastError: () => lastError,
    takeLine(written: string) {
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

/** A line written by workerd, which is either the script's output or a message about the script. */
type OutputLine =
  | { from: 'script'; callId: string | undefined; level: ScriptLog['level']; text: string }
  | { from: 'runtime'; level: ScriptLog['level']; text: string; fatal: boolean };

const levels: Readonly<Record<string, ScriptLog['level']>> = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  fatal: 'error',
};

function readOutput(line: string): OutputLine {
  const { level, message } = parse(line);
  const known = levels[level] ?? 'info';
  const marked = readMark(message);
  if (marked) return { from: 'script', level: known, ...marked };
  return { from: 'runtime', level: known, text: plainText(message), fatal: level === 'fatal' };
}

function parse(line: string): { level: string; message: string } {
  const { level, message } = (parseJson(line, {}) ?? {}) as { level?: unknown; message?: unknown };
  if (typeof level === 'string' && typeof message === 'string') return { level, message };
  // The line was truncated because it was too long, or it was not written through the console.
  return { level: 'info', message: line };
}

/** Removes positions in workerd's own source code, and formats stack frames like V8: `at load (script.mjs:1:2)`. */
function plainText(message: string): string {
  return message
    .replace(/^service script-[\w-]{22}: /, '')
    .replace(/^Uncaught exception: \S+: failed: (?:remote\.)?jsg\./, 'Uncaught ')
    .replace(/^ {2}at (\S+:\d+:\d+)(?: in (.+))?$/gm, (_, place: string, name?: string) =>
      name === undefined ? `    at ${place}` : `    at ${name} (${place})`,
    );
}
