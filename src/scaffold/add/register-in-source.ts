import { usesUndeclared } from './names-in-code.js';
import { closingOf, textsIn } from '../tools/scan-code.js';

interface Member {
  key: string;
  /** The offset where the value starts. */
  value: number;
}

interface Definition {
  open: number;
  close: number;
  members: Member[];
}

const calls = /\bcreateIntegration(?=\s*(?:<(?:(?!createIntegration)[^()]){0,1000}>)?\(\s*\{)/g;
const found = '__called__';

/**
 * Finds the object literal passed to `createIntegration`. There must be exactly one such call outside of comments and
 * strings.
 */
function findDefinition(source: string): Definition | undefined {
  const inCode = [...source.matchAll(calls)].filter(({ index, 0: name }) =>
    usesUndeclared(source.slice(0, index) + found + source.slice(index + name.length), found),
  );
  const [call] = inCode;
  if (!call || inCode.length > 1) return undefined;
  const open = source.indexOf('{', source.indexOf('(', call.index));
  const close = closingOf(source, open);
  return close === undefined ? undefined : { open, close, members: membersOf(source, open, close) };
}

/** The key used for a spread, which may add any member. */
const SPREAD = '...';

function membersOf(source: string, open: number, close: number): Member[] {
  const endOfText = textsIn(source);
  const members: Member[] = [];
  let expectKey = true;
  for (let at = open + 1; at < close; at++) {
    const named =
      expectKey &&
      !/[\w$]/.test(source[at - 1] ?? '') &&
      /^(?:(\.\.\.)|(?:async\s+)?(['"]?)([\w$]+)\2\s*(?=[:(,}]|$))/.exec(source.slice(at, close));
    if (named) {
      const [whole, spread, , key = ''] = named;
      const colon = source[at + whole.length] === ':';
      members.push({ key: spread ?? key, value: at + whole.length + (colon ? 1 : 0) });
      at += whole.length - 1;
      expectKey = false;
      continue;
    }
    const end = endOfText(at) ?? bracketEnd(source, at);
    if (end !== undefined) at = end - 1;
    else if (source[at] === ',') expectKey = true;
  }
  return members;
}

const bracketEnd = (source: string, at: number): number | undefined => {
  if (!'{[('.includes(source[at] ?? ' ')) return undefined;
  const close = closingOf(source, at);
  return close === undefined ? undefined : close + 1;
};

/**
 * Adds an item to a list or object in the definition. If the list or object is missing, it is created. Returns undefined if
 * the source's structure is not supported.
 */
export function addToCollection(
  source: string,
  key: string,
  brackets: '[]' | '{}',
  item: string,
): string | undefined {
  const definition = findDefinition(source);
  if (!definition) return undefined;
  const member = definition.members.find((candidate) => candidate.key === key);
  if (!member) {
    if (definition.members.some((candidate) => candidate.key === SPREAD)) return undefined;
    const value = brackets === '[]' ? `${key}: [${item}]` : `${key}: {\n    ${item},\n  }`;
    return append(source, definition.open, definition.close, value);
  }
  const open = source.slice(member.value).search(/\S/) + member.value;
  if (source[open] !== brackets[0]) return undefined;
  const close = closingOf(source, open);
  if (close === undefined) return undefined;
  const itemKey = item.split(':')[0];
  const taken = brackets === '{}' && membersOf(source, open, close).some((one) => one.key === itemKey);
  return taken ? undefined : append(source, open, close, item);
}

export function addMember(source: string, key: string, member: string): string | undefined {
  const definition = findDefinition(source);
  if (!definition || definition.members.some((one) => one.key === key || one.key === SPREAD))
    return undefined;
  return append(source, definition.open, definition.close, member);
}

/** Adds a statement at the start of a method. The method's two parameters must be plain names. */
export function beginMethod(
  source: string,
  key: string,
  statement: (parameters: string[]) => string,
): string | undefined {
  const member = findDefinition(source)?.members.find((candidate) => candidate.key === key);
  const rest = source.slice(member?.value ?? source.length);
  const head = /^\s*(?:async\s*)?\(\s*(\w+)\s*,\s*(\w+)\s*(?:,\s*)?\)\s*(?:=>\s*)?\{/.exec(rest);
  if (!member || !head) return undefined;
  const [text, ...parameters] = head;
  const at = member.value + text.length;
  const indent = /\n([ \t]*)\S/.exec(source.slice(at))?.[1] ?? '    ';
  return `${source.slice(0, at)}\n${indent}${statement(parameters)}\n${source.slice(at)}`;
}

/** Adds an item before the closing bracket, in the same layout as the others. */
function append(source: string, open: number, close: number, thing: string): string {
  const last = lastCode(source, open, close);
  const inside = source.slice(open + 1, close);
  const empty = last === open;
  const lines = inside.includes('\n') || (empty && source[open] === '{');
  if (!lines) {
    const comma = empty || source[last] === ',' ? '' : ',';
    const space = empty ? '' : ' ';
    return `${source.slice(0, last + 1)}${comma}${space}${thing}${source.slice(last + 1)}`;
  }
  const indent = /\n([ \t]*)\S/.exec(inside)?.[1] ?? '  ';
  const comma = empty || source[last] === ',' ? '' : ',';
  // If the members are separated by blank lines, adds another blank line.
  const gap = /\n[ \t]*\n/.test(inside) ? '\n' : '';
  const before = `${source.slice(0, last + 1)}${comma}${source.slice(last + 1, close).trimEnd()}${gap}`;
  const closing = /(?<![ \t])[ \t]*$/.exec(source.slice(0, close))?.[0] ?? '';
  return `${before}\n${indent}${thing},\n${empty && !inside.includes('\n') ? '' : closing}${source.slice(close)}`;
}

/** Returns the last character between the brackets that is not a space or part of a comment, or else the opening bracket. */
function lastCode(source: string, open: number, close: number): number {
  const endOfText = textsIn(source);
  let last = open;
  for (let at = open + 1; at < close; at++) {
    const end = endOfText(at);
    if (end !== undefined) {
      if (!/^\/[/*]/.test(source.slice(at, at + 2))) last = end - 1;
      at = end - 1;
    } else if (/\S/.test(source[at] ?? ' ')) last = at;
  }
  return last;
}

const statement = /^import\b(?:(?!^import\b)[\s\S]){0,5000}?from\s*(['"])([^'"\n]+)\1(?:\s*;)?[ \t]*$/gm;

/** Adds `import { name } from 'module'` after the imports, or adds the name to an existing import from the same module. */
export function addImport(source: string, name: string, module: string): string {
  const imports = [...source.matchAll(statement)];
  const quote = imports[0]?.[1] ?? "'";
  const same = imports.find(([text, , from]) => from === module && /^import\s*\{/.test(text));
  if (same) {
    const [text] = same;
    if (new RegExp(`[{,\\s]${name}[,\\s}]`).test(text.replace(/\/\*[^]*?\*\/|\/\/.*/g, ''))) return source;
    return append(source, same.index + text.indexOf('{'), same.index + text.lastIndexOf('}'), name);
  }
  const line = `import { ${name} } from ${quote}${withExtension(module, imports)}${quote};`;
  const last = imports.at(-1);
  if (!last) return `${line}\n${source}`;
  const end = last.index + last[0].length;
  return `${source.slice(0, end)}\n${line}${source.slice(end)}`;
}

/** Adds a file extension if the other relative imports have one. */
const withExtension = (module: string, imports: readonly RegExpExecArray[]): string =>
  module.startsWith('.') && imports.some(([, , from]) => /^\.{1,2}\/.*\.jsx?$/.test(from ?? ''))
    ? `${module}.js`
    : module;
