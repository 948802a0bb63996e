import type { ScriptLog } from '../script-host.js';

/** A line of standard error. Node tells of its debugger there: only that it could not start is an error. */
export function readErrorLine(text: string): Pick<ScriptLog, 'level' | 'text'> | undefined {
  if (text.startsWith('For help, see: https://nodejs.org/')) return undefined;
  if (/^Debugger (?:listening on |attached|ending on )|^Waiting for the debugger to /.test(text))
    return { level: 'info', text };
  if (/^Starting inspector on \S+ failed: /.test(text))
    return { level: 'error', text: `${text}. Name another port with --inspect <port>.` };
  return { level: 'error', text };
}
