import { callPath, clockTime, fit } from '../dev/call-words.js';
import type { Style } from '../../diagnostics/style.js';

/** A call of the script, as the lists of the platform give it. */
export interface TrafficLine {
  id: string;
  type: string;
  time: number;
  version: number;
  method?: string;
  url?: string;
  status?: number;
  outcome: 'running' | 'ok' | 'failed' | 'no-handler' | 'withheld';
  error?: string;
  durationMs?: number;
}

export function renderTrafficLine(
  line: TrafficLine,
  { style, width }: { style: Style; width: number },
): string {
  const { id, type, time, method, url, status, outcome, error, durationMs } = line;
  const paint = {
    running: style.dim,
    ok: style.green,
    failed: style.red,
    'no-handler': style.dim,
    withheld: style.yellow,
  }[outcome];
  const what = url === undefined ? type : `${method} ${callPath(url)}`;
  const room = Math.max(20, width - 54);
  const verdict = (outcome === 'no-handler' ? 'no handler' : String(status ?? outcome)).padEnd(10);
  const ms = durationMs === undefined ? '' : `${Math.round(durationMs)} ms`;
  const head = `${style.dim(clockTime(time))}  ${fit(what, room)}  ${paint(verdict)} ${ms.padStart(8)}  ${style.dim(id)}`;
  return error === undefined ? head : `${head}\n          ${style.red(error)}`;
}
