import { decodePath } from '../../base/text/decode-path.js';

interface SummaryEntry {
  /** The position of the entry among all entries. */
  at: number;
  title: string;
  /** The heading above the entry. */
  part: string;
  line: number;
  column: number;
}

/** The order and titles in a `SUMMARY.md`, keyed by file path. */
export type Summary = ReadonlyMap<string, SummaryEntry>;

const entry =
  /^(\s*[*+-]\s+)\[((?:[^[\]\\]|\\.){1,500})\]\(\s*(?:<([^<>]{1,1000})>|([^()<>\s]{1,1000}))(?:\s+"[^"]*")?\s*\)/;

/** Reads lines of the form `* [Title](path.md)`. Links to other sites are not pages. */
export function readSummary(text: string): Summary {
  const found = new Map<string, SummaryEntry>();
  let part = '';
  for (const [nth, line] of text.split(/\r\n|\r|\n/).entries()) {
    part = /^##\s+(.{1,500})$/.exec(line.trim())?.[1] ?? part;
    const [, start = '', title, quoted, target = quoted] = entry.exec(line.slice(0, 2000)) ?? [];
    if (title === undefined || target === undefined || /^(?:[a-z]+:|#)/i.test(target)) continue;
    const path = decodePath(target.replace(/[#?].*$/, '')).replace(/^\.?\//, '');
    if (found.has(path)) continue;
    const shown = title.replace(/\\(.)/g, '$1');
    found.set(path, { at: found.size, title: shown, part, line: nth + 1, column: start.length + 1 });
  }
  return found;
}
