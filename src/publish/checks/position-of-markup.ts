import { join } from 'node:path';
import type { Range } from '../../diagnostics/model/diagnostic.js';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import type { Submission } from '../submission/submission.js';

/**
 * Returns the position of an element or property in the author's JSX. Returns undefined if the markup is not written as JSX.
 */
export function positionOfMarkup(
  { element, property }: Pick<MarkupProblem, 'element' | 'property'>,
  { manifest, sources = [] }: Pick<Submission, 'manifest' | 'sources'>,
): { file: string; range: Range } | undefined {
  for (const { path, text } of sources) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue;
    for (const { index } of text.matchAll(/<(?=[A-Za-z])/g)) {
      const name = nameAt(text, index + 1);
      if (name !== element) continue;
      const end = index + 1 + name.length;
      const at =
        property === undefined || property === 'children' ? index + 1 : findProperty(text, end, property);
      if (at === undefined) continue;
      const length = at === index + 1 ? name.length : (property ?? '').length;
      return { file: join(manifest.folder, path), range: rangeOf(text, at, length) };
    }
  }
  return undefined;
}

const nameAt = (text: string, index: number): string =>
  /^[\w.:-]*/.exec(text.slice(index, index + 100))?.[0] ?? '';

/** Scans an opening tag. Property names are outside of braces and quotes. */
function findProperty(text: string, start: number, property: string): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (/["'`]/.test(character)) {
      const close = text.indexOf(character, at + 1);
      if (close === -1) return undefined;
      at = close;
    } else if (depth === 0) {
      if (character === '>') return undefined;
      const name = nameAt(text, at);
      if (name === property) return at;
      if (name !== '') at += name.length - 1;
    }
  }
  return undefined;
}

/** Returns the range of `length` characters. The range is on a single line. */
export function rangeOf(text: string, index: number, length: number): Range {
  const line = text.slice(0, index).split('\n').length;
  const column = index - text.lastIndexOf('\n', index - 1);
  return { start: { line, column }, end: { line, column: column + length } };
}
