export interface JsonProblem {
  /** Line and column numbers both start at 1. */
  line: number;
  column: number;
  /** The offset in the text, starting at 0. */
  offset: number;
  message: string;
}

const token =
  /[{}[\],:]|"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/]|[bf]|[nrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

type Bracket = '{' | '[';
const closing = { '{': '}', '[': ']' };
const key = 'a property name in double quotes';

interface State {
  expected: string;
  /** Whether the innermost bracket may be closed here, that is, after a value or directly after the opening bracket. */
  closable: boolean;
}

/**
 * Finds the position where text stops being valid JSON, and what was expected there. Returns undefined if the text is
 * valid. Does not use the parser's own message, because its wording differs between browsers and may omit the
 * position.
 */
export function jsonProblem(text: string): JsonProblem | undefined {
  const open: Bracket[] = [];
  let state: State = { expected: 'a value', closable: false };
  let at = 0;
  for (;;) {
    at += /^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0;
    if (at === text.length && state.expected === 'the end') return undefined;
    token.lastIndex = at;
    const [found = ''] = token.exec(text) ?? [];
    const next = found === '' ? undefined : after(found, state, open);
    if (!next) return { ...position(text, at), offset: at, message: messageAt(text, at, state, open.at(-1)) };
    state = next;
    at += found.length;
  }
}

/** Returns the state after a token. Returns undefined if the token is not allowed here. */
function after(found: string, { expected, closable }: State, open: Bracket[]): State | undefined {
  const inside = open.at(-1);
  if (closable && inside && found === closing[inside]) {
    open.pop();
    return afterValue(open);
  }
  if (expected === 'a value') {
    if (found !== '{' && found !== '[') return /^["\-\d]|^[tfn]/.test(found) ? afterValue(open) : undefined;
    open.push(found);
    return { expected: found === '{' ? key : 'a value', closable: true };
  }
  if (expected === key) return found.startsWith('"') ? { expected: '":"', closable: false } : undefined;
  if (expected !== `"${found}"`) return undefined;
  return { expected: found === ',' && inside === '{' ? key : 'a value', closable: false };
}

const afterValue = (open: readonly Bracket[]): State =>
  open.length === 0 ? { expected: 'the end', closable: false } : { expected: '","', closable: true };

function position(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function messageAt(
  text: string,
  at: number,
  { expected, closable }: State,
  inside: Bracket | undefined,
): string {
  const wanted = closable && inside ? `${expected} or "${closing[inside]}"` : expected;
  if (at === text.length) return `Expected ${wanted}, but the text ends here.`;
  if (text[at] === '"' && expected !== '","' && expected !== '":"') {
    token.lastIndex = at;
    if (!token.test(text))
      return 'This string is not closed, or contains an escape that JSON does not allow.';
  }
  return `Expected ${wanted}.`;
}
