const openers: Record<string, string> = { '{': '}', '[': ']', '(': ')' };

/** Offset of the bracket that closes the one at `start`, or `undefined`. Skips strings and comments. */
export function closingOf(source: string, start: number): number | undefined {
  const open: string[] = [];
  for (let at = start; at < source.length; at++) {
    const skipped = endOfText(source, at);
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
    } else if (Object.values(openers).includes(character)) return undefined;
  }
  return undefined;
}

/** Offset after the string or comment that starts here, if one does. */
export function endOfText(source: string, at: number): number | undefined {
  if (source.startsWith('//', at)) return endAt(source, '\n', at);
  if (source.startsWith('/*', at)) return endAt(source, '*/', at + 2);
  const quote = source[at];
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end++;
    else if (source[end] === quote) return end + 1;
    // An apostrophe in markup does not start a string.
    else if (source[end] === '\n' && quote !== '`') return at + 1;
  }
  return undefined;
}

const endAt = (source: string, mark: string, from: number): number => {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
};

/** The brackets that are open at this offset, outermost first. */
export function openersBefore(source: string, place: number): number[] {
  const open: number[] = [];
  for (let at = 0; at < place; at++) {
    const skipped = endOfText(source, at);
    if (skipped !== undefined) {
      at = skipped - 1;
      continue;
    }
    const character = source[at] ?? '';
    if (openers[character]) open.push(at);
    else if (Object.values(openers).includes(character)) open.pop();
  }
  return open;
}
