import { resolvePlain } from './plain-scalar.js';
import { skipSpaces } from './source-lines.js';
import type { Node, Scalar } from './tree.js';

export function readLineValue(text: string, start: number, lineEnd: number): Node | undefined {
  const first = text[start];
  if (first === '"' || first === "'") {
    const value = readQuoted(text, start);
    return value && endsAt(text, value.end, lineEnd) ? value : undefined;
  }
  if (first === '[' || first === '{') {
    const value = readFlow(text, start, lineEnd);
    return value && endsAt(text, value.end, lineEnd) ? value : undefined;
  }
  return readPlain(text, start, lineEnd);
}

const plainStart = /[A-Za-z0-9_./$(+~<=;^\\\u00A1-\uD7FF\uE000-\uFEFE]|-(?=\S)/y;
const endsPlain = /: |:$| #/;

function readPlain(text: string, start: number, lineEnd: number): Scalar | undefined {
  plainStart.lastIndex = start;
  if (!plainStart.test(text)) return undefined;
  let source = text.slice(start, lineEnd);
  const ending = endsPlain.exec(source);
  if (ending && ending[0] !== ' #') return undefined;
  if (ending) source = source.slice(0, ending.index).replace(/(?<! ) +$/, '');
  const value = resolvePlain(source);
  return value === undefined
    ? undefined
    : { kind: 'scalar', value, style: 'plain', start, end: start + source.length };
}

const quoted = /"((?:[^"\\\n]|\\["\\/nt])*)"|'((?:[^'\n]|'')*)'/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

function readQuoted(text: string, start: number): Scalar | undefined {
  quoted.lastIndex = start;
  const found = quoted.exec(text);
  if (!found) return undefined;
  const [whole, double, single = ''] = found;
  const value =
    double?.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign) ?? single.replaceAll("''", "'");
  return { kind: 'scalar', value, style: 'quoted', start, end: start + whole.length };
}

function endsAt(text: string, end: number, lineEnd: number): boolean {
  return end === lineEnd || (end < lineEnd && /^ +#/.test(text.slice(end, lineEnd)));
}

/** Matches strings in brackets, provided that they contain no character with a special meaning there. */
const flowPlain = /[A-Za-z_](?:[\w./-]|:(?=\w))*(?: (?=[A-Za-z_])(?:[\w./-]|:(?=\w))*)*/y;

function readFlow(text: string, start: number, lineEnd: number): Node | undefined {
  let at = skipSpaces(text, start + 1, lineEnd);
  if (text[start] === '{')
    return text[at] === '}' ? { kind: 'map', entries: [], start, end: at + 1 } : undefined;
  const items: Node[] = [];
  if (text[at] === ']') return { kind: 'list', items, start, end: at + 1 };
  for (;;) {
    const item = readFlowItem(text, at);
    if (!item || item.end >= lineEnd) return undefined;
    items.push(item);
    at = skipSpaces(text, item.end, lineEnd);
    if (text[at] === ']') return { kind: 'list', items, start, end: at + 1 };
    if (text[at] !== ',') return undefined;
    at = skipSpaces(text, at + 1, lineEnd);
  }
}

function readFlowItem(text: string, at: number): Scalar | undefined {
  if (text[at] === '"' || text[at] === "'") return readQuoted(text, at);
  flowPlain.lastIndex = at;
  const source = flowPlain.exec(text)?.[0];
  const value = source === undefined ? undefined : resolvePlain(source);
  if (source === undefined || typeof value !== 'string') return undefined;
  return { kind: 'scalar', value, style: 'plain', start: at, end: at + source.length };
}
