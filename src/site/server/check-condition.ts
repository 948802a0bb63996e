import type { Claims } from './verify-token.js';

const token =
  /\s*(?:(===?|!==?|<=|>=|&&|\|\||[!<>()])|(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_$][\w$]*(?:\s*(?:\.\s*[A-Za-z_$][\w$]*|\[\s*(?:"[^"\\]*"|'[^'\\]*'|\d+)\s*\]))*))/y;
const longest = 2000;
const deepest = 50;

class Unsupported extends Error {}

const compare: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  // eslint-disable-next-line eqeqeq
  '==': (a, b) => a == b,
  '!=': (a, b) => a != b,
  '<': (a, b) => (a as number) < (b as number),
  '>': (a, b) => (a as number) > (b as number),
  '<=': (a, b) => (a as number) <= (b as number),
  '>=': (a, b) => (a as number) >= (b as number),
  in: (a, b) => typeof b === 'object' && b !== null && Object.hasOwn(b, String(a)),
};
const constants = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);

/**
 * Evaluates the condition of an `{% if %}`, which compares claims of the visitor with values. Returns undefined if it contains
 * anything else.
 */
export function checkCondition(condition: string, claims: Claims): boolean | undefined {
  if (condition.length > longest) return undefined;
  const tokens: RegExpExecArray[] = [];
  for (token.lastIndex = 0; condition.slice(token.lastIndex).trim() !== '';) {
    const found = token.exec(condition);
    if (!found) return undefined;
    tokens.push(found);
  }
  let at = 0;
  const isNext = (text: string): boolean => tokens[at]?.[0].trim() === text && Boolean((at += 1));

  const readValue = (depth: number): unknown => {
    if (depth > deepest) throw new Unsupported();
    if (isNext('!')) return !readValue(depth + 1);
    if (isNext('(')) {
      const value = readChoice(depth + 1);
      if (!isNext(')')) throw new Unsupported();
      return value;
    }
    const [, , number, string, path] = tokens[at] ?? [];
    at += 1;
    if (number !== undefined) return Number(number);
    if (string !== undefined) return string.slice(1, -1).replaceAll(/\\(.)/g, '$1');
    if (path === undefined) throw new Unsupported();
    return constants.has(path) ? constants.get(path) : claimAt(path, claims);
  };
  const readComparison = (depth: number): unknown => {
    const value = readValue(depth);
    const operator = Object.keys(compare).find(isNext);
    return operator === undefined ? value : compare[operator]?.(value, readValue(depth));
  };
  // The other side is read even if it doesn't matter, because it could contain an error.
  const readBoth = (depth: number): unknown => {
    let value = readComparison(depth);
    while (isNext('&&')) {
      const next = readComparison(depth);
      value &&= next;
    }
    return value;
  };
  const readChoice = (depth: number): unknown => {
    let value = readBoth(depth);
    while (isNext('||')) {
      const next = readBoth(depth);
      value ||= next;
    }
    return value;
  };

  try {
    const value = readChoice(0);
    return at === tokens.length ? Boolean(value) : undefined;
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

function claimAt(path: string, claims: Claims): unknown {
  const [root, ...keys] = (path.match(/[\w$]+|"[^"]*"|'[^']*'/g) ?? []).map((key) =>
    key.replaceAll(/^["']|["']$/g, ''),
  );
  if (root !== 'visitor' || keys[0] !== 'claims') throw new Unsupported();
  return keys.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Claims)[key]
        : undefined,
    { claims },
  );
}
