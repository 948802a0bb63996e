import { readThrownError } from '../../../base/text/thrown-error.js';
import type { CallRecord } from '../../../contract/routes/calls.js';

type Judged = Pick<CallRecord, 'reason' | 'failure' | 'severity'>;

/** Matches the end of the reason if a call has more than one problem. */
const others = / \(and \d+ more\)$/;

/**
 * Returns the text at the top of a call's details if something went wrong: the short reason, or the full error message if
 * the reason is only its beginning.
 */
export function reasonText({ reason, failure, severity }: Judged): string | undefined {
  if (reason === undefined || !failure || severity !== 'error') return reason;
  return failure.message + (others.exec(reason)?.[0] ?? '');
}

/** Whether the top of the call's details already shows this message. */
export function repeatsReason(call: Judged, message: string): boolean {
  const shown = firstLine((reasonText(call) ?? '').replace(others, '')).replace(/^waitUntil failed: /, '');
  const [told, shownText] = [readThrownError(message).message, shown].map((text) =>
    text.replace(/[.…]$/, ''),
  );
  if (!told || !shownText) return false;
  return told.includes(shownText) || shownText.endsWith(told);
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
