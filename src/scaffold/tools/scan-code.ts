const openers: Record<string, string> = { '{': '}', '[': ']', '(': ')' };

/**
 * Returns the offset of the bracket that closes the one at `start`, or undefined if it is not closed. Strings and comments are
 * skipped.
 */
export function closingOf(source: string, start: number): number | undefined {
  const endOfText = textsIn(source);
  const open: string[] = [];
  for (let at = start; at < source.length; at++) {
    const skipped = endOfText(at);
    if (skipped !== undefined) {
      at = skipped - 1;
      continue;
    }
    const character = source[at] ?? '';
    const closer = openers[character];
    if (closer) open.push(closer);
    else if (character === open.at(-1)) {
      open.pop();
      if (open.length === 0) return at;
    } else if (isCloser(character)) return undefined;
  }
  return undefined;
}

/**
 * Returns a function that takes an offset and, if a string or comment starts there, returns the offset after its end. It
 * remembers how far it has looked for a closing quote without finding one, so text with many quotes is not searched again
 * for each of them.
 */
export function textsIn(source: string): (at: number) => number | undefined {
  const unclosedUntil = new Map<string, number>();
  return (at) => {
    if (source.startsWith('//', at)) return endAt(source, '\n', at);
    if (source.startsWith('/*', at)) return endAt(source, '*/', at + 2);
    const quote = source[at];
    if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
    let end = at + 1;
    if (end <= (unclosedUntil.get(quote) ?? 0)) return end;
    for (; end < source.length; end++) {
      if (source[end] === '\\') end++;
      else if (source[end] === quote) return end + 1;
      // An apostrophe in markup does not start a string.
      else if (source[end] === '\n' && quote !== '`') break;
    }
    unclosedUntil.set(quote, end);
    return at + 1;
  };
}

const endAt = (source: string, mark: string, from: number): number => {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
};

/** The curly, square and round brackets outside of strings and comments. Found in a single pass. */
export interface Brackets {
  /** Returns the bracket that closes the one at this offset. */
  closing(open: number): number | undefined;
  /** Returns the innermost bracket around the one at this offset. */
  outer(open: number): number | undefined;
}

export function findBrackets(source: string): Brackets {
  const endOfText = textsIn(source);
  const outer = new Map<number, number>();
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const skipped = endOfText(at);
    if (skipped !== undefined) {
      at = skipped - 1;
      continue;
    }
    const character = source[at] ?? '';
    if (openers[character]) {
      const around = open.at(-1);
      if (around !== undefined) outer.set(at, around);
      open.push(at);
    } else if (isCloser(character)) {
      const opener = open.pop();
      if (opener !== undefined && openers[source[opener] ?? ''] === character) closing.set(opener, at);
    }
  }
  return { closing: (at) => closing.get(at), outer: (at) => outer.get(at) };
}

const isCloser = (character: string): boolean => character === '}' || character === ']' || character === ')';
