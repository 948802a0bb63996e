import type { Range, Source } from '../model/diagnostic.js';
import { visible } from '../../base/escape-control-characters.js';
import { diffLines, foldSame, type DiffLine } from '../../base/text/line-diff.js';
import { spanOn } from './code-frame.js';

const signs = { same: ' ', removed: '-', added: '+' } as const;

/** Returns a unified diff that `patch` and `git apply` accept. Returns an empty string if the texts are equal. */
export function renderDiff(path: string, before: Source, after: Source): string {
  const hunks = splitHunks(diffLines(toLines(before.text), toLines(after.text)));
  if (hunks.length === 0) return '';
  const show = ({ kind, text, before: from, after: to }: DiffLine): string => {
    const [number, masks] = kind === 'removed' ? [from, before.masks] : [to, after.masks];
    return `${signs[kind]}${showLine(text, number, masks)}`;
  };
  const shown = hunks.flatMap((hunk) => [renderHead(hunk), ...hunk.map(show)]);
  const name = visible(path);
  return `${[`--- a/${name}`, `+++ b/${name}`, ...shown].join('\n')}\n`;
}

/** Returns the lines, each including its line break. The last line may not have a line break. */
const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Splits the changes into groups, each with some lines of context. Changes that are close together form one group. */
function splitHunks(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [[]];
  for (const line of foldSame(lines)) {
    if ('skipped' in line) hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  return hunks.filter((hunk) => hunk.length > 0);
}

function renderHead(hunk: readonly DiffLine[]): string {
  const removed = hunk.filter(({ kind }) => kind !== 'added').map(({ before }) => before);
  const added = hunk.filter(({ kind }) => kind !== 'removed').map(({ after }) => after);
  const first = hunk[0];
  return `@@ -${removed[0] ?? first?.before ?? 0},${removed.length} +${added[0] ?? first?.after ?? 0},${added.length} @@`;
}

/** Masks secrets and makes the line safe to print. Keeps a carriage return at the end of a line, because a patch needs it. */
function showLine(whole: string, number: number, masks: readonly Range[] = []): string {
  const [line = '', end = ''] = /^(.*?)(\r?\n?)$/s.exec(whole)?.slice(1) ?? [];
  let shown = '';
  let from = 0;
  const spans = masks.flatMap((mask) => spanOn(mask, number, line, false) ?? []);
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    if (span.to <= from) continue;
    shown += `${line.slice(from, span.from).split('\t').map(visible).join('\t')}\u2022\u2022\u2022\u2022`;
    from = span.to;
  }
  shown += line.slice(from).split('\t').map(visible).join('\t');
  return end.endsWith('\n') ? `${shown}${end.slice(0, -1)}` : `${shown}\n\\ No newline at end of file`;
}
