import type { ScriptLog } from '../script-host.js';
import { readMark } from './line-mark.js';

/** A line written by workerd: the script's output, or a message about the script. */
export type OutputLine =
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

/** Reads a line of workerd's structured log. */
export function readOutput(line: string): OutputLine {
  const { level, message } = parse(line);
  const known = levels[level] ?? 'info';
  const marked = readMark(message);
  if (marked) return { from: 'script', level: known, ...marked };
  return { from: 'runtime', level: known, text: plainText(message), fatal: level === 'fatal' };
}

function parse(line: string): { level: string; message: string } {
  try {
    const { level, message } = JSON.parse(line) as { level?: unknown; message?: unknown };
    if (typeof level === 'string' && typeof message === 'string') return { level, message };
  } catch {
    // Cut off because it is too long, or not written through the console.
  }
  return { level: 'info', message: line };
}

/** Removes positions in workerd's own sources, and writes frames as V8 does: `at load (script.mjs:1:2)`. */
function plainText(message: string): string {
  return message
    .replace(/^service script-[\w-]{22}: /, '')
    .replace(/^Uncaught exception: \S+: failed: (?:remote\.)?jsg\./, 'Uncaught ')
    .replace(/^ {2}at (\S+:\d+:\d+)(?: in (.+))?$/gm, (_, place: string, name?: string) =>
      name === undefined ? `    at ${place}` : `    at ${name} (${place})`,
    );
}
