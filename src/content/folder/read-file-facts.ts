import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { basename } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';
import { readFrontMatter } from '../page/front-matter.js';
import { readSummary, type Summary } from './read-summary.js';

/** Cached information about a file. The text is not cached, so it is read again when it is needed. */
export interface FileFacts {
  /** Path relative to the folder, with `/` as the separator. */
  path: string;
  /** The file's metadata, used to decide whether to read it again. */
  state: string;
  inode: string;
  size: number;
  hash: string;
  page?: PageFacts;
  /** The page's lines that look like headings, for searching. Only the parser can tell which of them really are. */
  headings?: string;
  /** The file's metadata when the file was first found to be empty. */
  emptySince?: string;
  /** The entries of a `SUMMARY.md`. */
  summary?: Summary;
  warning?: string;
}

export interface PageFacts {
  title: string;
  description?: string;
  order?: number;
  hidden: boolean;
}

const mostBytes = 1024 * 1024;

export const stateOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

/** Text in a hidden folder is not a page itself, because other pages include it. */
const isPage = (path: string): boolean => /\.md$/i.test(path) && !/(?:^|\/)\./.test(path);

/** Returns the facts about a file, or why it is skipped. Returns undefined if the file no longer exists. */
export function readFileFacts(
  file: string,
  path: string,
  stats: Stats,
): FileFacts | { skipped: string } | undefined {
  const read = isPage(path);
  if (stats.size > mostBytes) {
    if (read) return { skipped: `It is ${stats.size} bytes. The maximum for a page is 1 MB.` };
    // Images and attachments may be larger, because they are only served and never parsed.
    return { ...identityOf(path, stats), hash: hashOf(Buffer.from(stateOf(stats))) };
  }
  let bytes: Buffer;
  try {
    bytes = readRegularFile(file, mostBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { skipped: `It cannot be read (${code ?? 'unknown error'}).` };
  }
  const facts = { ...identityOf(path, stats), hash: hashOf(bytes) };
  if (!read) return facts;
  const text = decodeText(bytes);
  if (text === undefined) return { skipped: 'It is not UTF-8. Save it as UTF-8.' };
  if (/^summary\.md$/i.test(path)) return { ...facts, summary: readSummary(text) };
  return { ...facts, ...readPageFacts(text, path) };
}

const identityOf = (path: string, stats: Stats) => ({
  path,
  state: stateOf(stats),
  // The creation time is included because the inode number of a deleted file is soon used again.
  inode: `${stats.dev} ${stats.ino} ${stats.birthtimeMs}`,
  size: stats.size,
});

export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32);

export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readPageFacts(text: string, path: string): Pick<FileFacts, 'page' | 'headings' | 'warning'> {
  const { values, end, problem } = readFrontMatter(text);
  const { title, description, order, hidden } = values;
  const page: PageFacts = {
    title: copy(
      typeof title === 'string' && title.trim() ? title.trim() : (firstHeading(text, end) ?? titleOf(path)),
    ),
    ...(typeof description === 'string' && { description: copy(description.trim()) }),
    ...(typeof order === 'number' && Number.isFinite(order) && { order }),
    hidden: hidden === true,
  };
  const headings = copy(headingLines(text.slice(end)), mostHeadings);
  return { page, headings, ...(problem !== undefined && { warning: problem }) };
}

const mostHeadings = 64 * 1024;

/** Copies a title, because a substring would keep the whole text in memory. */
const copy = (text: string, most = 500): string => Buffer.from(text.slice(0, most)).toString();

function firstHeading(text: string, from: number): string | undefined {
  const [, heading] = /^ {0,3}# +([^\r\n]{1,500})/m.exec(text.slice(from, from + 16 * 1024)) ?? [];
  return withoutMarkup(heading?.replace(/<[^<>]*>|\s+#+\s*$/g, '') ?? '') || undefined;
}

/** An underscore within a word, as in `space_view`, does not mark emphasis. */
const withoutMarkup = (heading: string): string =>
  heading
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*`\\]|\b_+|_+\b/g, '')
    .trim();

/**
 * Matches a code fence or a heading. Repetitions are limited, so a page with a single long line takes no longer than others.
 */
const fenceOrHeading =
  /^(?:[ \t>]|[*+-][ \t]|\d{1,9}[.)][ \t]){0,40}(?:(`{3,}|~{3,})([^\r\n]*)|#{1,6}[ \t]+([^\r\n]{1,500})|([^\s|#-][^\r\n]{0,500})\r?\n[ \t>]{0,40}(?:=+|-+)[ \t]*$)/gm;

/**
 * Finds lines that look like headings, much faster than the parser would. The result may include lines that are not
 * headings, but does not include comments in code.
 */
function headingLines(text: string): string {
  const lines: string[] = [];
  let fence = '';
  for (const [, mark = '', info = '', heading, underlined] of text.matchAll(fenceOrHeading)) {
    const line = heading ?? underlined;
    if (fence === '' && line !== undefined) lines.push(withoutMarkup(line));
    else if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && info.trim() === '') fence = '';
  }
  return lines.join('\n');
}

/** Returns a title for a path: `getting-started.md` becomes `Getting started`. A folder's page is named after the folder. */
export function titleOf(path: string): string {
  const own = isFolderPage(path) ? path.split('/').slice(0, -1).join('/') : path;
  const words = basename(own).replace(/\.md$/i, '').replace(/[-_]+/g, ' ').trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : 'Start';
}

export const isFolderPage = (path: string): boolean => /(?:^|\/)(?:readme|index)\.md$/i.test(path);

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
