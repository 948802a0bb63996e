import { visible } from '../base/escape-control-characters.js';
import { renderDiff } from '../diagnostics/report/render-diff.js';
import type { ReplayDifference } from './compare-outcome.js';
import type { ReplayedProject } from './open-replayed-project.js';
import { placeOfDifference } from './place-of-difference.js';
import type { ReplayResult } from './replay-calls.js';

/** Longer differences are cut, because the file may come from an untrusted source. */
const LONGEST = 64 * 1024;

const titles = {
  response: 'The response differs',
  outbound: 'The outbound requests differ',
  rejected: 'The rejected background work differs',
} as const;

/** What differs and where, in one line. */
export function titleOfDifference(
  result: ReplayResult,
  difference: ReplayDifference,
  project: Pick<ReplayedProject, 'folder' | 'sources'>,
): string {
  const at = placeOfDifference(result, difference, project);
  return titles[difference.kind] + (at ? `: ${visible(`${at.path}:${at.line}:${at.column}`)}` : '.');
}

/** The changed lines. */
export function diffOfDifference({ before, after }: ReplayDifference): string {
  const diff = renderDiff('', { text: `${before}\n` }, { text: `${after}\n` });
  // Both names are the same, so the head tells nothing.
  const lines = diff.trimEnd().split('\n').slice(2).join('\n');
  return lines.length > LONGEST ? `${lines.slice(0, LONGEST)}\n…` : lines;
}

/** All differences as one text; undefined if there are none. */
export function describeDifferences(
  results: readonly ReplayResult[],
  project: Pick<ReplayedProject, 'folder' | 'sources'>,
): string | undefined {
  const texts = results.flatMap((result) =>
    result.differences.map(
      (difference) =>
        `${visible(result.call.name)}: ${titleOfDifference(result, difference, project)}\n${diffOfDifference(difference)}`,
    ),
  );
  if (texts.length === 0) return undefined;
  return [...texts, 'If the change is intended, accept it with: platform replay <file> --update'].join(
    '\n\n',
  );
}
