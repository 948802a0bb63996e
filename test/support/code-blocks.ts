import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The line directly before a block: a comment such as `<!-- output -->`, or the name of its file. */
export interface Mark {
  name: string;
  text: string;
}

export interface CodeBlock {
  /** The page's path relative to the repository. */
  page: string;
  /** The line number of the first line of code. */
  line: number;
  language: string;
  code: string;
  mark: Mark | undefined;
}

/** The position of the block, for messages. */
export const at = ({ page, line }: CodeBlock, offset = 0): string => `${page}:${line + offset}`;

/** The README, the docs and the other pages in the repository. */
export const allPages = (): string[] => [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file))
    .toSorted(),
];

export const readPage = (page: string): string => readFileSync(join(repository, page), 'utf8');

const fence = /^( *)(`{3,})(\S*)(.*)$/;
const comment = /^ *<!-- ([a-z][a-z ]*)(?:: (.*?))? -->$/;
/** The line that shows readers which file a block is: **`src/index.tsx`**, or the same with "(add at the end)". */
const fileName = /^ *\*\*`([^`]+)`\*\*( \(add at the end\))?$/;

function readMark(line: string): Mark | undefined {
  const [, path, addition] = fileName.exec(line) ?? [];
  if (path !== undefined) return { name: addition ? 'append' : 'file', text: path };
  const [, name, text = ''] = comment.exec(line) ?? [];
  return name === undefined ? undefined : { name, text };
}

/** Returns the fenced code blocks on a page, from top to bottom. */
export function readBlocks(page: string, text = readPage(page)): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { block: CodeBlock; indent: number; ticks: string; lines: string[] } | undefined;
  let mark: Mark | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, spaces = '', ticks = '', language = ''] = fence.exec(line) ?? [];
    if (open) {
      if (ticks === open.ticks && language === '') {
        blocks.push({ ...open.block, code: open.lines.map((code) => `${code}\n`).join('') });
        open = undefined;
      } else open.lines.push(line.slice(open.indent));
    } else if (ticks) {
      const block = { page, line: index + 2, language, code: '', mark };
      open = { block, indent: spaces.length, ticks, lines: [] };
      mark = undefined;
    } else if (line.trim() !== '') mark = readMark(line);
  }
  if (open) throw new Error(`${page}:${open.block.line - 1}: this code block has no end.`);
  return blocks;
}

/** The code that precedes every fragment on a page, taken from its `<!-- context … -->` comment. */
export const contextOf = (page: string): string =>
  /^<!-- context\n([^]*?)^-->$/m.exec(readPage(page))?.[1] ?? '';

/** Whether the page contains anything that can be run. */
export const isGuide = (page: string): boolean =>
  readBlocks(page).some(
    ({ language, mark }) =>
      (language === 'console' && !['not run', 'run by'].includes(mark?.name ?? '')) ||
      ['file', 'append', 'run', 'background'].includes(mark?.name ?? ''),
  );
