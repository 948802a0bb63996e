import { findBrackets } from '../../tools/scan-code.js';

/** A function that has a parameter called `context`. */
interface ContextScope {
  start: number;
  end: number;
  isPlain: boolean;
}

/** Matches `(context`, `(request, context: Type` and `context =>`. A condition is not a list of parameters. */
const parameter =
  /(?<!\b(?:if|while|for|switch|with)\s*)\((\s*|[^()]*,\s*)context(?!\s*=>)\s*\??\s*(?::\s*([\w$.]*))?(?=[^\w$.])|\bcontext\s*(?==>)/g;
/** Matches the end of the parameters, the return type, and the start of the body. */
const bodyStart = /\s*(?::[^={};()]*)?(=>\s*)?(\{)?/y;
const ofHandlers = /Context$|^(any|Parameters)$/;

/**
 * Finds the offsets where `context` is an ordinary parameter, as in `items.map((context) => context.title)`. Handlers, by
 * contrast, receive the call's context as their second parameter, and helper functions declare its type.
 */
export function plainContexts(text: string): (offset: number) => boolean {
  const brackets = findBrackets(text);
  const scopes = [...text.matchAll(parameter)].flatMap(({ 0: whole, index, 1: before, 2: type }) => {
    const isBare = before === undefined;
    const closed = isBare ? index + whole.length - 1 : brackets.closing(index);
    if (closed === undefined) return [];
    bodyStart.lastIndex = closed + 1;
    const [head = '', arrow, brace] = bodyStart.exec(text) ?? [];
    if (arrow === undefined && brace === undefined) return [];
    const start = closed + 1 + head.length;
    const around = isBare ? undefined : brackets.outer(index);
    const end =
      brace === undefined
        ? Math.min(endOfStatement(text, start), (around && brackets.closing(around)) ?? text.length)
        : (brackets.closing(start - 1) ?? text.length);
    const isPlain = type === undefined ? isBare || before.trim() === '' : !ofHandlers.test(type);
    return [{ start, end, isPlain } satisfies ContextScope];
  });
  return (offset) =>
    scopes
      .filter(({ start, end }) => start <= offset && offset < end)
      .reduce<ContextScope | undefined>(
        (inner, scope) => (inner === undefined || scope.start > inner.start ? scope : inner),
        undefined,
      )?.isPlain === true;
}

/** Longer expressions are truncated, so minified code is not searched again for each arrow. */
const maxExpression = 10_000;

function endOfStatement(text: string, start: number): number {
  const found = text.slice(start, start + maxExpression).search(/;|\n\s*\n/);
  return start + (found < 0 ? maxExpression : found);
}
