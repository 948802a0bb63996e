/** An attribute of a tag, with its value's exact position in the text, so an edit can replace just the value. */
export interface TagAttribute {
  key: string;
  value: unknown;
  /** The offset where the attribute's name starts. */
  from: number;
  start: number;
  end: number;
}

export interface ReadTag {
  name: string;
  attributes: TagAttribute[];
  /** The position after the tag's name, where the first attribute would be. */
  nameEnd: number;
  /** The position after `%}`. */
  end: number;
  problem?: { message: string; at: number };
}

/** A tag, as represented in the parser's tokens. */
export interface TagToken extends ReadTag {
  /**
   * The tag's first line, and its offset in that line. Both are needed because the parser's line endings may differ from
   * those in the source.
   */
  line: number;
  column: number;
  lines: number;
  /** Set if this is an HTML tag, or a `whole` element or footnote. */
  html?: 'tag' | 'whole';
}

/** Longer tags are treated as text. This also limits how far the end of a tag is searched for. */
const longest = 64 * 1024;
/** More deeply nested values would overflow the stack in recursive functions. */
const deepest = 100;
const name = /@?[A-Za-z0-9][\w.-]*(?:\/[\w.-]+)?/y;
const bareKey = /[A-Za-z_][\w.:-]*/y;
const bareValue = /[^\s"'{}[\]=]+/y;

/**
 * Reads the tag that starts at `start` and has the form `{% name key=JSON key=JSON %}`. Returns undefined if there is no tag
 * at this position. A tag ends at the first `%}`, so a string must write these characters as `%\u007d`. Takes linear time.
 */
export function readTag(text: string, start: number): ReadTag | undefined {
  if (!text.startsWith('{%', start)) return undefined;
  const close = text.slice(start, start + longest).indexOf('%}');
  if (close < 0) return undefined;
  const inner = start + close;
  let at = skipSpace(text, start + 2, inner);
  const found = matchAt(name, text, at, inner);
  if (found === undefined) return undefined;
  at += found.length;
  const tag: ReadTag = { name: found, attributes: [], nameEnd: at, end: inner + 2 };
  if (found === 'if') {
    // A condition is an expression, not a list of properties.
    const value = text.slice(at, inner).trim();
    return { ...tag, attributes: [{ key: 'condition', value, from: at, start: at, end: inner }] };
  }
  for (;;) {
    at = skipSpace(text, at, inner);
    if (at >= inner || (text[at] === '/' && skipSpace(text, at + 1, inner) >= inner)) return tag;
    const attribute = found === 'include' ? readPath(text, at, inner) : readAttribute(text, at, inner);
    if ('message' in attribute) return { ...tag, problem: attribute };
    tag.attributes.push(attribute);
    at = attribute.end;
  }
}

/** Reads the path in `{% include "path" %}`. */
function readPath(text: string, start: number, limit: number): ReturnType<typeof readAttribute> {
  const end = text[start] === '"' ? endOfString(text, start, limit) : undefined;
  const value = end === undefined ? undefined : parse(text.slice(start, end));
  return end === undefined || typeof value !== 'string'
    ? { message: 'Expected a path in double quotes.', at: start }
    : { key: 'url', value, from: start, start, end };
}

function readAttribute(
  text: string,
  start: number,
  limit: number,
): TagAttribute | { message: string; at: number } {
  const quoted = text[start] === '"';
  const keyEnd = quoted
    ? endOfString(text, start, limit)
    : start + (matchAt(bareKey, text, start, limit)?.length ?? 0);
  if (keyEnd === undefined || keyEnd === start)
    return { message: 'Expected a property in the form key=value.', at: start };
  const key = quoted ? parse(text.slice(start, keyEnd)) : text.slice(start, keyEnd);
  if (typeof key !== 'string') return { message: 'The property name is not valid JSON.', at: start };
  if (text[keyEnd] !== '=') return { message: `Expected = after ${key}.`, at: keyEnd };
  const from = keyEnd + 1;
  const end = endOfValue(text, from, limit);
  if (end === 'too deep')
    return { message: `The value of ${key} is nested more than ${deepest} levels deep.`, at: from };
  const value = end === undefined ? undefined : parse(text.slice(from, end));
  if (end === undefined || value === undefined)
    return { message: `The value of ${key} is not valid JSON. Put text in double quotes.`, at: from };
  if (end < limit && !/[\s/]/.test(text[end] ?? ''))
    return {
      message: `Expected a space after the value of ${key}. Write quotes inside text as \\".`,
      at: end,
    };
  return { key, value, from: start, start: from, end };
}

function endOfValue(text: string, from: number, limit: number): number | 'too deep' | undefined {
  if (text[from] === '"') return endOfString(text, from, limit);
  if (text[from] !== '{' && text[from] !== '[') {
    const bare = matchAt(bareValue, text, from, limit);
    return bare === undefined ? undefined : from + bare.length;
  }
  for (let at = from, depth = 0; at < limit; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at, limit);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > deepest) return 'too deep';
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function endOfString(text: string, from: number, limit: number): number | undefined {
  for (let at = from + 1; at < limit; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

/** Synced pages may contain unescaped line breaks and tabs. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/\r?\n/g, '\\n').replaceAll('\t', '\\t'));
  } catch {
    // The line breaks may be between the values of an object instead of in a string.
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  }
}

function skipSpace(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && /\s/.test(text[at] ?? '')) at += 1;
  return at;
}

function matchAt(pattern: RegExp, text: string, at: number, limit: number): string | undefined {
  pattern.lastIndex = at;
  const [match] = pattern.exec(text) ?? [];
  return match === undefined || at + match.length > limit ? undefined : match;
}
