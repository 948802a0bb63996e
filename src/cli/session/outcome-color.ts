import type { Style } from '../../terminal/style.js';
import type { CallOutcome } from '../../contract/routes/calls.js';

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
}

/** The outcome of a call as a word or its status, in the matching colour. */
export function paintOutcome({ outcome, status, reason }: Ended, style: Style, width = 0): string {
  const [word, colour] = looks[outcome];
  const answered = outcome === 'ok' || outcome === 'failed';
  const said = answered && status !== undefined ? String(status) : reason ? `${word}: ${reason}` : word;
  return style[colour](said.padEnd(width));
}
