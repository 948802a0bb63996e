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

/** Matches a comment, a string that ends on its line, or an escaped character, which is outside of strings only in faulty code. */
const textInCode = /\/\/.*|\/\*[^]*?(?:\*\/|$)|(['"])(?:\\[^]|(?!\1)[^\\\n])*\1|\\./y;
const textInTag = /\/\/.*|\/\*[^]*?(?:\*\/|$)|"[^"]*"|'[^']*'/y;
const textInMarkup = /[^{<]+/y;
const textInTemplate = /(?:\\[^]|\$(?!\{)|[^\\`$])*(?:\$(?=\{)|`|\\?$)/y;
const regularExpression = /\/(?![/*])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,500}\]){1,500}\//y;
const startTag = /<([A-Za-z_$][\w$.:-]*|(?=>))/y;
/** Matches code after which an expression begins, so `/` does not divide and `<` does not compare. */
const beforeExpression =
  /(?:^|=>|[(,=:[!&|?{;*%~^]|(?<!\+)\+|(?<!-)-|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield|instanceof|default))$/;

/**
 * Returns a function that takes an offset and, if a string, a comment, a regular expression or the text in an element starts
 * there, returns the offset after its end.
 */
export function textsIn(source: string): (at: number) => number | undefined {
  const ends = new Map<number, number>();
  const lastEndTags = new Map(
    Array.from(source.matchAll(/<\/([\w$.:-]*)/g), ({ index, 1: name = '' }) => [name, index] as const),
  );
  /** What the offset is in, innermost last. Braces contain code. */
  const open: ('braces' | 'template' | 'tag' | 'markup')[] = [];
  let at = 0;
  let endOfCode = 0;
  const match = (pattern: RegExp, from = at): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(source);
  };
  const skip = (pattern: RegExp, from = at): boolean => {
    const [text] = match(pattern, from) ?? [];
    if (text === undefined) return false;
    ends.set(at, from + text.length);
    at = from + text.length;
    return true;
  };
  const skipTemplate = (from: number): void => {
    skip(textInTemplate, from);
    if (source[at] !== '{') open.pop();
    else enter('braces', 1);
  };
  const enter = (what: (typeof open)[number], length: number): void => {
    open.push(what);
    at += length;
  };
  const leave = (length: number): void => {
    open.pop();
    at += length;
  };
  const readCode = (): void => {
    const character = source[at];
    const begins = (): boolean => beforeExpression.test(source.slice(Math.max(0, endOfCode - 20), endOfCode));
    if (skip(textInCode)) {
      if (character !== '/') endOfCode = at;
      return;
    }
    if (character === '/' && begins() && skip(regularExpression)) {
      endOfCode = at;
      return;
    }
    const [tag, name = ''] = (character === '<' && begins() && match(startTag)) || [];
    // In TypeScript, `<` can also start the parameters of a generic function, which has no end tag.
    if (tag !== undefined && (lastEndTags.get(name) ?? -1) > at) enter('tag', tag.length);
    else if (character === '`') {
      open.push('template');
      skipTemplate(at + 1);
    } else if (character === '{') enter('braces', 1);
    else if (character === '}') leave(1);
    else at += 1;
    if (character?.trim()) endOfCode = at;
  };
  const readTag = (): void => {
    if (skip(textInTag)) return;
    if (source.startsWith('/>', at)) leave(2);
    else if (source[at] === '>') {
      open.pop();
      enter('markup', 1);
    } else if (source[at] === '{') enter('braces', 1);
    else at += 1;
  };
  const readMarkup = (): void => {
    if (skip(textInMarkup)) return;
    const [tag] = match(startTag) ?? [];
    if (source[at] === '{') enter('braces', 1);
    else if (tag !== undefined) enter('tag', tag.length);
    else if (source[at + 1] !== '/') at += 1;
    else leave((match(/[^>]*>?/y) ?? [''])[0].length);
  };
  while (at < source.length) {
    const inside = open.at(-1);
    if (inside === 'template') skipTemplate(at);
    else if (inside === 'tag') readTag();
    else if (inside === 'markup') readMarkup();
    else readCode();
    if (inside !== 'braces' && inside !== undefined) endOfCode = at;
  }
  return (at) => ends.get(at);
}

/** The curly, square and round brackets outside of strings and comments. Found in a single pass. */
export type Brackets = ReturnType<typeof findBrackets>;

export function findBrackets(source: string) {
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
  return {
    closing: (at: number) => closing.get(at),
    /** Returns the innermost bracket around the one at this offset. */
    outer: (at: number) => outer.get(at),
  };
}

const isCloser = (character: string): boolean => character === '}' || character === ']' || character === ')';
