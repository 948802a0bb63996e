import { readTree, toValue } from '../../manifest/index.js';

export interface FrontMatter {
  values: Record<string, unknown>;
  /** The offset in the file where the page's text starts, after the front matter. */
  end: number;
  problem?: string;
}

const most = 8 * 1024;
const opening = /^\uFEFF?---[ \t]*\r?\n/;
const closing = /^---[ \t]*(?:\r?\n|$)/m;

/** Reads the YAML between two lines of `---` at the start of a page. */
export function readFrontMatter(text: string): FrontMatter {
  const start = opening.exec(text)?.[0].length;
  if (start === undefined) return { values: {}, end: text.startsWith('\uFEFF') ? 1 : 0 };
  const close = closing.exec(text.slice(start, start + most));
  if (!close)
    return { values: {}, end: 0, problem: 'The front matter has no closing --- in its first 8 KB.' };
  const end = start + close.index + close[0].length;
  const { root, problems } = readTree(text.slice(start, start + close.index));
  const [problem] = problems;
  if (problem) return { values: {}, end, problem: `The front matter is not valid YAML. ${problem.message}` };
  const values = root ? toValue(root) : {};
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { values: {}, end, problem: 'The front matter must be a map, for example "title: Start".' };
  return { values: values as Record<string, unknown>, end };
}
