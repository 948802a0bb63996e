import { withoutIds } from '../../base/text/without-ids.js';
import type { CallLine } from '../../contract/routes/calls.js';

/** A call in the list. The newest of several equal failures in a row stands for the others. */
export interface CallRow extends CallLine {
  run?: { key: string; calls: number; open: boolean };
}

/** Combines equal failures in a row, except in runs that are open or contain the selected call. */
export function collapseRuns(
  lines: readonly CallLine[],
  isOpen: (key: string) => boolean,
  selected: string | undefined,
): CallRow[] {
  const rows: CallRow[] = [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next && isSameFailure(line, next)) continue;
    const [newest, ...others] = lines.slice(start, index + 1);
    start = index + 1;
    if (!newest) continue;
    if (others.length === 0) {
      rows.push(newest);
      continue;
    }
    // The oldest call identifies the run, because newer ones are still added.
    const open = isOpen(line.id) || others.some(({ id }) => id === selected);
    rows.push({ ...newest, run: { key: line.id, calls: others.length + 1, open } });
    if (open) rows.push(...others);
  }
  return rows;
}

const pathOf = ({ url }: CallLine): string | undefined => url?.split('?')[0];

const isSameFailure = (one: CallLine, other: CallLine): boolean =>
  one.severity !== 'none' &&
  one.severity === other.severity &&
  one.type === other.type &&
  one.method === other.method &&
  pathOf(one) === pathOf(other) &&
  one.component === other.component &&
  one.action === other.action &&
  one.status === other.status &&
  one.version === other.version &&
  one.installation === other.installation &&
  one.integration === other.integration &&
  one.cause?.type === other.cause?.type &&
  one.at?.file === other.at?.file &&
  one.at?.line === other.at?.line &&
  (one.reason === other.reason || withoutIds(one.reason ?? '') === withoutIds(other.reason ?? ''));
