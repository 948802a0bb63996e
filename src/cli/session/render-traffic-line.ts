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
  const what = url === undefined ? type : `${method} ${new URL(url, 'http://localhost').pathname}`;
  const room = Math.max(20, width - 54);
  const shown = what.length > room ? `${what.slice(0, room - 1)}…` : what.padEnd(room);
  const verdict = (outcome === 'no-handler' ? 'no handler' : String(status ?? outcome)).padEnd(10);
  const ms = durationMs === undefined ? '' : `${Math.round(durationMs)} ms`;
  const head = `${style.dim(new Date(time).toTimeString().slice(0, 8))}  ${shown}  ${paint(verdict)} ${ms.padStart(8)}  ${style.dim(id)}`;
  return error === undefined ? head : `${head}\n          ${style.red(error)}`;
}
