import { readThrownError } from '../../../base/text/thrown-error.js';
import type { CallRecord } from '../../../contract/routes/calls.js';

type Judged = Pick<CallRecord, 'reason' | 'failure' | 'severity'>;

/** How the reason ends if there is more than one problem. */
const others = / \(and \d+ more\)$/;

/** What is wrong with a call, for its head: the reason, or the whole message of the error that it is cut from. */
export function reasonText({ reason, failure, severity }: Judged): string | undefined {
  if (reason === undefined || !failure || severity !== 'error') return reason;
  return failure.message + (others.exec(reason)?.[0] ?? '');
}

/** Whether a message is what the head of the call already shows. */
export function repeatsReason(call: Judged, message: string): boolean {
  const shown = firstLine((reasonText(call) ?? '').replace(others, '')).replace(/^waitUntil failed: /, '');
  const [told, shownText] = [readThrownError(message).message, shown].map((text) =>
    text.replace(/[.…]$/, ''),
  );
  if (!told || !shownText) return false;
  return told.includes(shownText) || shownText.endsWith(told);
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
