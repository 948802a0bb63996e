const openers: Record<string, string> = { '{': '}', '[': ']', '(': ')' };

/** Where the bracket at `start` is closed; `undefined` where it is not. Texts and comments are passed over. */
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

/** Behind the text or comment that begins here, if one does. */
export function endOfText(source: string, at: number): number | undefined {
  if (source.startsWith('//', at)) return endAt(source, '\n', at);
  if (source.startsWith('/*', at)) return endAt(source, '*/', at + 2);
  const quote = source[at];
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end++;
    else if (source[end] === quote) return end + 1;
    // An apostrophe in markup begins no text.
    else if (source[end] === '\n' && quote !== '`') return at + 1;
  }
  return undefined;
}

const endAt = (source: string, mark: string, from: number): number => {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
};

/** The brackets that are open at this place, the outermost first. */
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
