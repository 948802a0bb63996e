import { callPath, clockTime, fit } from '../../session/call-words.js';
import { renderLog } from '../../session/live-lines.js';
import type { Style } from '../../../terminal/style.js';
import type { LogLine } from '../../../protocol/log-and-outbound-types.js';
import type { TrafficOutcome } from '../../../store/calls/call-log.js';
import { paintOutcome } from '../../session/outcome-color.js';

/** A call of the script, as the lists of the platform give it. */
export interface TrafficLine {
  id: string;
  type: string;
  time: number;
  version: number;
  method?: string;
  url?: string;
  status?: number;
  outcome: TrafficOutcome;
  error?: string;
  durationMs?: number;
  /** Of what ran outside any call: what it said. */
  lines?: readonly ShownLine[];
}

type ShownLine = Pick<LogLine, 'level' | 'text'>;

export function renderTrafficLine(
  line: TrafficLine,
  { style, width }: { style: Style; width: number },
): string {
  const { id, type, time, method, url, status, outcome, error, durationMs, lines } = line;
  if (lines) return renderOutside(line, lines, { style, width });
  const what = url === undefined ? type : `${method} ${callPath(url)}`;
  const room = Math.max(20, width - 54);
  const verdict = paintOutcome({ outcome, status }, style, 10);
  const ms = durationMs === undefined ? '' : `${Math.round(durationMs)} ms`;
  const head = `${style.dim(clockTime(time))}  ${fit(what, room)}  ${verdict} ${ms.padStart(8)}  ${style.dim(id)}`;
  return error === undefined ? head : `${head}\n          ${style.red(error)}`;
}

/** The first line bears the time, as that of a call does. */
function renderOutside(
  { type, time, id }: TrafficLine,
  lines: readonly ShownLine[],
  view: { style: Style; width: number },
): string {
  const { style } = view;
  const head = `${style.dim(clockTime(time))}  ${type.padEnd(6)}  ${style.dim(id)}`;
  return [head, ...lines.flatMap((line) => renderLog(line, view))].join('\n');
}
