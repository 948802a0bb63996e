import { parsePage } from './parse-page.js';
import { encodeProps } from './edit-tag.js';

/** What can be inserted: a block from an integration, a link as a card, or a link as text. */
export type Insertion =
  | { name: string; props: Readonly<Record<string, unknown>> }
  | { fence: string }
  | { embed: string }
  | { link: string };

/**
 * Inserts a block, with blank lines around it, at a position returned by `parsePage`. Returns undefined if the text would not
 * be parsed as a block there, for example after an unclosed code fence.
 */
export function insertBlock(
  text: string,
  at: number,
  insertion: Insertion,
): { text: string; start: number } | undefined {
  const { start: first, ends } = parsePage(text);
  if (at !== first && !ends.includes(at)) return undefined;
  const [eol = '\n'] = /\r\n|\n|\r/.exec(text) ?? [];
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const isFirst = at === first;
  const opening = isFirst ? '' : eol + eol;
  const [gap = ''] = /^(?:[ \t]*(?:\r\n|\n|\r))*/.exec(after) ?? [];
  const lines = gap.match(/\r\n|\n|\r/g)?.length ?? 0;
  const isLast = after.trim() === '';
  const closing = eol.repeat(Math.max(0, isLast ? Number(isFirst && lines === 0) : 2 - lines));
  const written = write(insertion, eol);
  const start = before.length + opening.length;
  const edited = before + opening + written + closing + after;
  const isRead =
    'link' in insertion ||
    parsePage(edited).blocks.some(
      (block) => (block.kind === 'tag' || block.kind === 'code') && block.start === start,
    );
  return isRead ? { text: edited, start } : undefined;
}

function write(insertion: Insertion, eol: string): string {
  if ('fence' in insertion) return `\`\`\`${insertion.fence}${eol}\`\`\``;
  if ('link' in insertion) return `<${insertion.link}>`;
  if ('embed' in insertion) return `{% embed${encodeProps({ url: insertion.embed })} %}`;
  return `{% @${insertion.name}${encodeProps(insertion.props)} %}`;
}

/** Removes the block between two positions, and the blank lines around it. */
export function removeBlock(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const after = text.slice(end).replace(/^[ \t]*(?:\r\n|\n|\r)?/, '');
  // Also removes one of the two blank lines that now follow each other.
  return before + (/(?:^|\n[ \t]*\r?\n)$/.test(before) ? after.replace(/^[ \t]*(?:\r\n|\n|\r)/, '') : after);
}
