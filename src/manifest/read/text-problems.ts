import type { Problem } from '../yaml/tree.js';

/** The text without its byte order mark, and the problems with the file itself. */
export interface ReadSource {
  text: string;
  problems: Problem[];
}

const byteOrderMark = '\uFEFF';
const controlCharacter = /(?![\t\n\r\u0085])\p{Cc}/u;

export function inspectText(decoded: string): ReadSource {
  const marked = decoded.startsWith(byteOrderMark);
  const text = marked ? decoded.slice(1) : decoded;
  const problems: Problem[] = [];
  if (marked)
    problems.push({
      code: 'manifest/byte-order-mark',
      message: 'The file starts with a byte order mark.',
      help: 'Save the file as UTF-8 without one, because some parsers treat it as part of the first key.',
      start: 0,
      end: 0,
    });
  const control = text.search(controlCharacter);
  if (control >= 0)
    problems.push({
      code: 'manifest/control-character',
      message: `There is an invisible control character here (code ${text.charCodeAt(control)}).`,
      help: 'Delete it.',
      start: control,
      end: control + 1,
    });
  const odd = findOddLineEnd(text);
  if (odd)
    problems.push({
      code: 'manifest/mixed-line-ends',
      message:
        'Mixed line endings: this line has a different line ending (CR LF or LF) from the lines before it.',
      help: 'Save the file with one kind of line ending.',
      ...odd,
    });
  return { text, problems };
}

/** Finds the first line with a different line ending from line 1. */
function findOddLineEnd(text: string): { start: number; end: number } | undefined {
  if (!text.includes('\r\n')) return undefined;
  const windows = endsInCrLf(text, text.indexOf('\n'));
  for (let start = 0, end = text.indexOf('\n'); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
    if (endsInCrLf(text, end) !== windows) return { start, end: endsInCrLf(text, end) ? end - 1 : end };
  }
  return undefined;
}

const endsInCrLf = (text: string, lineFeed: number): boolean => text[lineFeed - 1] === '\r';
