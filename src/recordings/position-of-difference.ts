import { isDeepStrictEqual } from 'node:util';
import { authorsFrames, errorLineOf, readThrownError, type ThrownError } from '../base/text/thrown-error.js';
import type { StackFrame } from '../base/text/stack-frame.js';
import type { ReplayedProject } from './open-replayed-project.js';
import type { ReplayResult } from './replay-calls.js';
import { firstDifferent, type ReplayDifference } from './compare-outcome.js';
import { findLine } from './find-line.js';
import { keepMasks } from './own-secrets.js';
import { toRecorded } from './recorded-outcome.js';

/** The author's line for a difference, and what it is based on. */
export interface DifferencePosition extends StackFrame {
  /** `at`: a stack leads to the line. `writes`: only this line contains the text that differs. */
  basis: 'at' | 'writes';
}

/** Returns the author's line that caused a difference, or undefined if that is not certain. */
export function positionOfDifference(
  result: ReplayResult,
  difference: ReplayDifference,
  project: Pick<ReplayedProject, 'sourceLines'>,
): DifferencePosition | undefined {
  const { outcome, call } = result;
  const at = (frame: StackFrame | undefined): DifferencePosition | undefined =>
    frame && { ...frame, basis: 'at' };
  const sent = firstDifferent(outcome.outbound);
  if (difference.kind === 'outbound' && outcome.outbound.length > call.outbound.length)
    return at(additional(outcome));
  // A different response follows from a different or missing request.
  if (difference.kind !== 'outbound' && (sent || outcome.outbound.length < call.outbound.length))
    return undefined;
  const status = /^status (\d+)$/m;
  const [before, after] = [difference.before, difference.after].map((text) => status.exec(text)?.[1]);
  if (difference.kind === 'rejected' || (difference.kind === 'response' && Number(after ?? 500) >= 500)) {
    const error = thrownError(outcome);
    // If an error has no position, such as a timeout, its text does not come from the author's code.
    if (error) return isThrown(error, project) ? undefined : at(error.position);
  }
  const frames = framesOf(
    difference.kind === 'outbound' ? (sent ?? changedHeaders(result)) : outcome.response,
  );
  const [old, now] = [difference.before, difference.after].map((text) => text.slice(text.indexOf('\n\n')));
  const isSameBody = difference.before.includes('\n\n') && old === now;
  // With another status and another body, it is another response, from a branch that may be as old as the recorded one.
  if (difference.kind === 'response' && before !== after && !isSameBody) return undefined;
  const { event, body, stored, outbound } = call;
  const inputs = JSON.stringify([event, body, stored, outbound.map(({ answer }) => answer)]);
  const found = findLine(difference, inputs, frames, project.sourceLines());
  if (found) return { ...found, basis: 'writes' };
  return difference.kind === 'response' && isSameBody ? at(frames[0]) : undefined;
}

/** The author's frames in the project's folder. Another folder of a workspace is a library, like an installed package. */
export const framesOf = ({ stack = '' }: { stack?: string } = {}): StackFrame[] =>
  authorsFrames(stack).filter(({ path }) => !path.startsWith('../'));

/** Returns the first request whose headers or wait differ, which do not decide about its response. */
function changedHeaders({ outcome, call }: ReplayResult): { stack: string } | undefined {
  const now = toRecorded(outcome).outbound;
  return outcome.outbound.find(({ recorded = -1 }, at) => {
    const [before, after] = [call.outbound[recorded], now[at]].map((one) => [one?.headers, one?.wait]);
    return !isDeepStrictEqual(before, keepMasks(before, after));
  });
}

/** Whether the author's code throws the error itself. What has changed is then the condition that leads there. */
const isThrown = (
  { position }: ThrownError,
  { sourceLines }: Pick<ReplayedProject, 'sourceLines'>,
): boolean =>
  /\bthrow\b/.test(
    sourceLines().find(({ path, line }) => path === position?.path && line === position.line)?.text ?? '',
  );

/** Returns the error that the script logged, or the error that ended the call. */
export function thrownError({ logs, failure }: ReplayResult['outcome']): ThrownError | undefined {
  const text = errorLineOf(logs)?.text ?? failure;
  return text === undefined ? undefined : readThrownError(text);
}

/**
 * Returns the line that sends an additional request. It is the outermost line on the stack that sends no expected request, so
 * there is none if the script only sends more requests of the same kind.
 */
function additional({ outbound }: ReplayResult['outcome']): StackFrame | undefined {
  const usual = new Set(
    outbound
      .filter(({ match }) => match === 'same')
      .flatMap(({ stack }) => framesOf({ stack }).map((frame) => JSON.stringify(frame))),
  );
  return framesOf(firstDifferent(outbound)).findLast((frame) => !usual.has(JSON.stringify(frame)));
}
