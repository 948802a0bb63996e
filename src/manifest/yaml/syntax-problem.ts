import { Lexer, type YAMLError } from 'yaml';
import type { Problem, Span } from './tree.js';

type ErrorCode = YAMLError['code'];
type Words = readonly [message: string, help: string];

/** Messages for the library's error codes. Messages never quote the file, because it may contain a secret. */
const words: Record<ErrorCode, Words> = {
  ALIAS_PROPS: ['An alias cannot have an anchor or a tag.', 'Remove the text before the *.'],
  BAD_ALIAS: ['This is not a valid anchor or alias name.', 'Use letters and digits.'],
  BAD_COLLECTION_TYPE: ['This tag does not match the value.', 'Remove the tag. Manifests do not need tags.'],
  BAD_DIRECTIVE: ['A manifest cannot have YAML directives.', 'Remove the line that begins with %.'],
  BAD_DQ_ESCAPE: [
    'This escape sequence is not valid.',
    'Write \\\\ for a backslash, or use single quotes, in which a backslash has no special meaning.',
  ],
  BAD_INDENT: [
    'This line is not indented like the other lines in its map or list.',
    'Indent all lines of a map or list by the same amount, and nested lines further.',
  ],
  BAD_PROP_ORDER: ['An anchor or tag is in the wrong place.', 'Move it after the - or the colon.'],
  BAD_SCALAR_START: ['An unquoted value cannot begin with this character.', 'Put the value in quotes.'],
  BLOCK_AS_IMPLICIT_KEY: [
    'A map or list cannot begin on the same line as its key.',
    'Put it on a new line and indent it. Put text that contains ": " in quotes.',
  ],
  BLOCK_IN_FLOW: [
    'An indented map or list cannot be inside [ ] or { }.',
    'Write it with [ ] or { } too, or use indented lines throughout.',
  ],
  DUPLICATE_KEY: ['A key is repeated.', 'Keep one of them.'],
  IMPOSSIBLE: ['This part of the file cannot be parsed.', 'Check the indentation and the quotes around it.'],
  KEY_OVER_1024_CHARS: ['A key is longer than 1024 characters.', 'Shorten it.'],
  MISSING_CHAR: [
    'A character is missing here.',
    'Look for an unclosed quote or bracket, a key without a colon, or a colon without a space.',
  ],
  MULTILINE_IMPLICIT_KEY: [
    'A key must be on one line, followed by a colon.',
    'Add the colon, or indent the line if it belongs to the text above.',
  ],
  MULTIPLE_ANCHORS: ['A value can have only one anchor.', 'Remove one of them.'],
  MULTIPLE_DOCS: ['The file contains more than one YAML document.', 'A manifest must be a single document.'],
  MULTIPLE_TAGS: ['A value can have only one tag.', 'Remove the tags. Manifests do not need tags.'],
  NON_STRING_KEY: ['A key must be a string.', 'Put the key in quotes.'],
  RESOURCE_EXHAUSTION: [
    'The document is nested too deeply.',
    'Reduce the nesting. No manifest field needs more than ten levels.',
  ],
  TAB_AS_INDENT: ['There is a tab where YAML requires spaces.', 'Indent with spaces.'],
  TAG_RESOLVE_FAILED: ['This tag is unknown.', 'Remove the tag. Manifests do not need tags.'],
  UNEXPECTED_TOKEN: [
    'Unexpected text.',
    'Put text with special characters such as : # & * [ ] { } in quotes.',
  ],
};

/** Library messages that are more specific than their code. */
const closer: readonly (readonly [pattern: RegExp, ...Words])[] = [
  [
    /^Missing closing ['"]/,
    'The closing quote is missing.',
    'End the text with the quote character that it starts with.',
  ],
  [
    /^Implicit map keys need/,
    'This key has no value, because the colon is missing.',
    'Write `key: value`, or indent the line if it belongs to the text above.',
  ],
  [/^Flow (?:map|sequence)/, 'The closing bracket is missing.', 'Close it with ] or }.'],
  [
    /^Nested mappings are not allowed/,
    'This text contains a colon, so it looks like another key.',
    'Put quotes around the whole text.',
  ],
  [/^Missing , /, 'A comma is missing between two entries.', 'Put a comma between them.'],
  [/^Comments must be separated/, 'A comment needs a space before its #.', 'Put a space before the #.'],
];

type Mistake = Pick<YAMLError, 'code' | 'message' | 'pos'>;

export function syntaxProblem({ code, message, pos }: Mistake, text: string): Problem {
  const span = findSpan(message, Math.max(0, Math.min(pos[0], text.length)), text);
  const tab = /^[ \t]*\t/.exec(text.slice(lineStart(text, span.start)))?.[0];
  if (tab !== undefined) {
    const end = lineStart(text, span.start) + tab.length;
    const [words1, help] = words.TAB_AS_INDENT;
    return { code: 'manifest/tab-indent', message: words1, help, start: end - 1, end };
  }
  const known = closer.find(([pattern]) => pattern.test(message));
  const [told, help] = known ? [known[1], known[2]] : words[code];
  return { code: 'manifest/syntax', message: told, help, ...span };
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** The library reports the position where it stopped reading, but the error starts earlier. */
function findSpan(message: string, offset: number, text: string): Span {
  if (/^Missing closing ['"]/.test(message)) return wordAt(text, openingQuote(text, offset));
  if (/^Flow (?:map|sequence)/.test(message)) {
    const last = text.slice(0, offset).trimEnd().length;
    return { start: Math.max(0, last - 1), end: last };
  }
  return wordAt(text, offset);
}

/** Returns the range of the word at this offset. Spaces and tabs before the word are skipped. */
function wordAt(text: string, offset: number): Span {
  const rest = /^[ \t]*(\S*)/.exec(text.slice(offset, offset + 1000));
  const start = offset + (rest?.[0].length ?? 0) - (rest?.[1]?.length ?? 0);
  return { start, end: start + (rest?.[1]?.length ?? 0) };
}

/** Finds the opening quote of the string that the library was reading when it stopped at `end`. */
function openingQuote(text: string, end: number): number {
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const start = offset;
    if (!isSign(lexeme)) offset += lexeme.length;
    if (offset >= end && /^["']/.test(lexeme)) return start;
  }
  return end;
}

const signs = new Set(['\u0002', '\u0018', '\u001F']);

/** Matches lexemes without text: the start of a document, the end of a broken flow, and the start of a scalar. */
export const isSign = (lexeme: string): boolean => signs.has(lexeme);
