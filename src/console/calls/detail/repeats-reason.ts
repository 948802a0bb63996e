import { readThrownError } from '../../../base/text/thrown-error.js';
import type { CallRecord } from '../../../contract/routes/calls.js';

type Judged = Pick<CallRecord, 'reason' | 'failure' | 'severity'>;

/** The end of a reason when there is more than one problem. */
const others = / \(and \d+ more\)$/;

/**
 * What went wrong in a call, for its header: the short reason, or the full error message if the reason is
 * only a truncated part of it.
 */
export function reasonText({ reason, failure, severity }: Judged): string | undefined {
  if (reason === undefined || !failure || severity !== 'error') return reason;
  return failure.message + (others.exec(reason)?.[0] ?? '');
}

/** Whether the call's header already shows this message. */
export function repeatsReason(call: Judged, message: string): boolean {
  const shown = firstLine((reasonText(call) ?? '').replace(others, '')).replace(/^waitUntil failed: /, '');
  const [told, shownText] = [readThrownError(message).message, shown].map((text) =>
    text.replace(/[.…]$/, ''),
  );
  if (!told || !shownText) return false;
  return told.includes(shownText) || shownText.endsWith(told);
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
