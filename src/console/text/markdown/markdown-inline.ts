export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong' | 'emphasis' | 'deleted'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; children: Inline[] }
  | { kind: 'image'; url: string; alt: string }
  | { kind: 'break' };

const marks = [
  { mark: '**', kind: 'strong' },
  { mark: '__', kind: 'strong' },
  { mark: '~~', kind: 'deleted' },
  { mark: '*', kind: 'emphasis' },
  { mark: '_', kind: 'emphasis' },
] as const;

const escapable = /[\\`*_{}[\]()#+\-.!~|>]/;
const address = /^https?:\/\/[^\s<>"'`]+/;
const deepest = 8;

/** Parses inline Markdown in linear time, because at most one search fails for each kind of marker. */
export function parseInline(source: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  const missing = new Set<string>();
  let plain = '';
  let at = 0;

  const push = (node: Inline): void => {
    if (plain) found.push({ kind: 'text', text: plain });
    plain = '';
    found.push(node);
  };
  const closing = (mark: string, from: number): number => {
    if (missing.has(mark)) return -1;
    const end = source.indexOf(mark, from);
    if (end < 0) missing.add(mark);
    return end;
  };

  while (at < source.length) {
    const taken = depth < deepest ? readInline(source, at, depth, closing) : undefined;
    if (taken) {
      push(taken.node);
      at = taken.end;
    } else if (source[at] === '\\' && escapable.test(source[at + 1] ?? '')) {
      plain += source[at + 1];
      at += 2;
    } else {
      plain += source[at];
      at += 1;
    }
  }
  if (plain) found.push({ kind: 'text', text: plain });
  return found;
}

interface Taken {
  node: Inline;
  end: number;
}
type Closing = (mark: string, from: number) => number;

function readInline(source: string, at: number, depth: number, closing: Closing): Taken | undefined {
  const char = source[at];
  if (char === '\n')
    return / {2}$|\\$/.test(source.slice(Math.max(0, at - 2), at))
      ? { node: { kind: 'break' }, end: at + 1 }
      : { node: { kind: 'text', text: ' ' }, end: at + 1 };
  if (char === '`') return readCode(source, at, closing);
  if (char === '!' && source[at + 1] === '[') {
    const target = readTarget(source, at + 1, closing);
    if (target) return { node: { kind: 'image', url: target.url, alt: target.text }, end: target.end };
  }
  if (char === '[') {
    const target = readTarget(source, at, closing);
    if (target)
      return {
        node: { kind: 'link', url: target.url, children: parseInline(target.text, depth + 1) },
        end: target.end,
      };
  }
  if (char === 'h' && !/\w/.test(source[at - 1] ?? '')) return readAddress(source, at);
  return readMark(source, at, depth, closing);
}

function readCode(source: string, at: number, closing: Closing): Taken | undefined {
  let width = 1;
  while (source[at + width] === '`') width += 1;
  const mark = '`'.repeat(width);
  const end = closing(mark, at + width);
  if (end < 0) return undefined;
  return { node: { kind: 'code', text: source.slice(at + width, end).trim() }, end: end + width };
}

function readTarget(
  source: string,
  at: number,
  closing: Closing,
): { text: string; url: string; end: number } | undefined {
  const middle = closing('](', at + 1);
  if (middle < 0) return undefined;
  const text = source.slice(at + 1, middle);
  if (text.includes('\n\n') || text.includes('[')) return undefined;
  const end = closing(')', middle + 2);
  if (end < 0) return undefined;
  const url =
    source
      .slice(middle + 2, end)
      .trim()
      .split(/\s/)[0] ?? '';
  return { text, url: url.replace(/^<|>$/g, ''), end: end + 1 };
}

function readAddress(source: string, at: number): Taken | undefined {
  if (!source.startsWith('http', at)) return undefined;
  const url = address.exec(source.slice(at, at + 2048))?.[0].replace(/[).,;:!?]+$/, '');
  return url === undefined
    ? undefined
    : { node: { kind: 'link', url, children: [{ kind: 'text', text: url }] }, end: at + url.length };
}

function readMark(source: string, at: number, depth: number, closing: Closing): Taken | undefined {
  const found = marks.find(({ mark }) => source.startsWith(mark, at));
  if (!found) return undefined;
  const { mark, kind } = found;
  const next = source[at + mark.length];
  if (next === undefined || /\s/.test(next)) return undefined;
  if (mark.startsWith('_') && /\w/.test(source[at - 1] ?? '')) return undefined;
  let end = closing(mark, at + mark.length + 1);
  // Skips double markers, which have a different meaning.
  while (mark.length === 1 && end >= 0 && source[end + 1] === mark) end = closing(mark, end + 2);
  if (end < 0) return undefined;
  const children = parseInline(source.slice(at + mark.length, end), depth + 1);
  return { node: { kind, children }, end: end + mark.length };
}
