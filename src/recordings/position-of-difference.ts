import { authorsFrames, errorLineOf, readThrownError, type ThrownError } from '../base/text/thrown-error.js';
import type { StackFrame } from '../base/text/stack-frame.js';
import type { ReplayedProject } from './open-replayed-project.js';
import type { ReplayResult } from './replay-calls.js';
import { firstDifferent, type ReplayDifference } from './compare-outcome.js';
import { findLine } from './find-line.js';

/**
 * Returns the author's line that probably caused a difference. It is the line of an error, the only line with the new text,
 * or the line that sent a different request.
 */
export function positionOfDifference(
  { outcome, call }: ReplayResult,
  difference: ReplayDifference,
  project: Pick<ReplayedProject, 'sourceLines'>,
): StackFrame | undefined {
  const status = Number(/^status (\d+)/.exec(difference.after)?.[1] ?? 0);
  const error = thrownError(outcome);
  if (difference.kind === 'rejected' || (difference.kind === 'response' && (status >= 500 || status === 0))) {
    // If an error has no position, such as a timeout, its text does not come from the author's code.
    if (error) return error.position;
  }
  const { event, body, stored, outbound } = call;
  if (difference.kind === 'outbound' && outcome.outbound.length > outbound.length) return additional(outcome);
  const inputs = JSON.stringify([event, body, stored, outbound.map(({ answer }) => answer)]);
  const found = findLine(difference, inputs, project.sourceLines());
  if (found || difference.kind !== 'outbound') return found;
  // A request may be missing because an error occurred first.
  return senderOf(outcome) ?? error?.position;
}

/** Returns the error that the script logged, or the error that ended the call. */
export function thrownError({ logs, failure }: ReplayResult['outcome']): ThrownError | undefined {
  const text = errorLineOf(logs)?.text ?? failure;
  return text === undefined ? undefined : readThrownError(text);
}

const senderOf = ({ outbound }: ReplayResult['outcome']): StackFrame | undefined => {
  const sent = firstDifferent(outbound);
  return sent && readThrownError(sent.stack).position;
};

/**
 * Returns the line that sends an additional request. It is the outermost line on the stack that sends no expected request.
 */
function additional({ outbound }: ReplayResult['outcome']): StackFrame | undefined {
  const sent = firstDifferent(outbound);
  if (!sent) return undefined;
  const frames = authorsFrames(sent.stack);
  const usual = new Set(
    outbound
      .filter(({ match }) => match === 'same')
      .flatMap(({ stack }) => authorsFrames(stack).map((frame) => JSON.stringify(frame))),
  );
  return frames.findLast((frame) => !usual.has(JSON.stringify(frame))) ?? frames.at(-1);
}
