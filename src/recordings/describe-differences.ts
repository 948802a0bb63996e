import { visible } from '../base/escape-control-characters.js';
import { renderDiff } from '../diagnostics/report/render-diff.js';
import type { ReplayDifference } from './compare-outcome.js';
import type { ReplayedProject } from './open-replayed-project.js';
import { positionOfDifference, thrownError, type DifferencePosition } from './position-of-difference.js';
import type { ReplayResult } from './replay-calls.js';

/** Longer differences are truncated, because the file may come from an untrusted source. */
const LONGEST = 64 * 1024;
const LONGEST_REASON = 1000;

const titles = {
  response: 'The response differs',
  outbound: 'The outbound requests differ',
  rejected: 'Different background promises were rejected',
} as const;

/**
 * Returns the requests that have no response in the recording. They fail in the replay, but that says nothing about the real
 * service, so `--update` does not accept them.
 */
export const unanswered = ({ outcome }: Pick<ReplayResult, 'outcome'>): string[] =>
  outcome.outbound.filter(({ match }) => match === 'none').map(({ method, url }) => `${method} ${url}`);

/** Whether `--update` may accept the call's current behavior. */
export const isAcceptable = (result: ReplayResult): boolean =>
  result.differences.length > 0 && unanswered(result).length === 0;

/** Returns why `--update` does not accept the call's current behavior, or undefined if it does. */
export function whyNotUpdated(result: ReplayResult): string | undefined {
  const [request] = unanswered(result);
  if (result.differences.length === 0 || request === undefined) return undefined;
  return `The recording has no response to ${visible(request.slice(0, LONGEST_REASON))}, so the result of the call is unknown.`;
}

/** `path` is a recording, or a folder of recordings. */
export const acceptHint = (path: string): string =>
  `If the change is intended, accept it with: platform replay ${visible(path)} --update`;

/** Explains what differs, where and, if known, why. */
export function explainDifference(
  result: ReplayResult,
  difference: ReplayDifference,
  project: Pick<ReplayedProject, 'sourceLines'>,
): string {
  const at = positionOfDifference(result, difference, project);
  const title =
    titles[difference.kind] + (at ? `: ${at.basis} ${visible(`${at.path}:${at.line}:${at.column}`)}` : '.');
  return [
    title,
    ...reasons(result, difference, at).map((reason) => visible(reason.slice(0, LONGEST_REASON))),
  ].join('\n');
}

function reasons(
  result: ReplayResult,
  { kind, after }: ReplayDifference,
  shown: DifferencePosition | undefined,
): string[] {
  if (kind === 'outbound')
    return unanswered(result).map(
      (request) => `The recording has no response to ${request}. Record the call again to include it.`,
    );
  if (kind !== 'response' || !after.startsWith('status 5')) return [];
  const error = thrownError(result.outcome);
  if (!error) return [];
  const { message, position: from } = error;
  return [message + (from && !shown ? `, thrown at ${from.path}:${from.line}:${from.column}` : '')];
}

/** Returns the changed lines. */
export function diffOfDifference({ before, after }: ReplayDifference): string {
  const diff = renderDiff('', { text: `${before}\n` }, { text: `${after}\n` });
  // The file header is omitted, because it would contain the same name twice.
  const lines = diff.trimEnd().split('\n').slice(2).join('\n');
  return lines.length > LONGEST ? `${lines.slice(0, LONGEST)}\n…` : lines;
}

/** Returns all differences as a single string, or undefined if there are none. */
export function describeDifferences(
  results: readonly ReplayResult[],
  project: Pick<ReplayedProject, 'sourceLines'>,
  path: string,
): string | undefined {
  const texts = results.flatMap((result) =>
    result.differences.map(
      (difference) =>
        `${visible(result.call.name)}: ${explainDifference(result, difference, project)}\n${diffOfDifference(difference)}`,
    ),
  );
  if (texts.length === 0) return undefined;
  const hint = results.some(isAcceptable) ? [acceptHint(path)] : [];
  return [...texts, ...hint].join('\n\n');
}
