import type { Style } from '../../terminal/style.js';
import type { CallLine, CallOutcome } from '../../contract/routes/calls.js';

type Severity = CallLine['severity'];

const looks = {
  running: ['…', 'dim'],
  ok: ['ok', 'green'],
  failed: ['failed', 'red'],
  'no-handler': ['no handler', 'dim'],
  withheld: ['withheld', 'yellow'],
} as const satisfies Record<CallOutcome, [word: string, colour: keyof Style]>;

interface Ended {
  outcome: CallOutcome;
  status?: number | undefined;
  reason?: string | undefined;
  severity?: Severity | undefined;
}

/** Errors and warnings are shown as words even if the status is successful, so they are visible without colors. */
const marks = { error: [' error', 'red'], warning: [' warning', 'yellow'], none: ['', 'green'] } as const;

/** Renders the outcome of a call as a word or a status code, in the color for its severity. */
export function paintOutcome(
  { outcome, status, reason, severity = 'none' }: Ended,
  style: Style,
  width = 0,
): string {
  const [word, colour] = looks[outcome];
  const answered = outcome === 'ok' || outcome === 'failed';
  const said = answered && status !== undefined ? String(status) : reason ? `${word}: ${reason}` : word;
  if (outcome !== 'ok') return style[colour](said.padEnd(width));
  const [mark, markColour] = marks[severity];
  return style[markColour](`${said}${mark}`.padEnd(width));
}
