import { secretShapes } from '../../base/text/secret-shapes.js';

/** A secret found in text. Its value is never stored. */
export interface FoundSecret {
  kind: string;
  index: number;
  more: number;
}

/**
 * Finds known kinds of secrets and the values of the integration's own secrets. Yields undefined after each step, so the
 * caller can stop the search. The text is untrusted and may be long.
 */
export function* searchSecrets(
  text: string,
  own: Readonly<Record<string, string>>,
): Generator<FoundSecret | undefined> {
  for (const { kind, exact } of secretShapes) if (exact) yield* foundIn(kind, matchesOf(exact, text));
  for (const [name, value] of Object.entries(own)) {
    if (value.length < shortestValue || isWord.test(value)) continue;
    yield* foundIn(`the value of the secret ${name}`, indexesOf(value, text));
  }
}

/** Describes only the first secret, because there may be thousands. */
function* foundIn(kind: string, indexes: Iterable<number | undefined>): Generator<FoundSecret | undefined> {
  let first: number | undefined;
  let more = -1;
  for (const index of indexes) {
    if (index === undefined) yield undefined;
    else more += 1;
    first ??= index;
  }
  if (first !== undefined) yield { kind, index: first, more };
}

/** How much text is searched in each step. */
const stepLength = 512 * 1024;
/**
 * How far the search continues past the end of a step. Longer than any secret, so a secret that starts within the step is
 * found in full.
 */
const overlap = 4 * 1024;

function* matchesOf(shape: RegExp, text: string): Generator<number | undefined> {
  const pattern = new RegExp(shape);
  for (let start = 0; start < text.length;) {
    const end = start + stepLength;
    let next = end;
    // The text before `start` is kept, because a pattern may check the character before a match.
    const part = text.slice(0, end + overlap);
    pattern.lastIndex = start;
    for (let match = pattern.exec(part); match && match.index < end; match = pattern.exec(part)) {
      next = Math.max(end, pattern.lastIndex);
      if (!isExample(match[0])) yield match.index;
    }
    yield undefined;
    start = next;
  }
}

function* indexesOf(value: string, text: string): Generator<number> {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) yield at;
}

/** Shorter values may occur in text by chance. */
const shortestValue = 8;
const isWord = /^[a-z]{1,15}$/i;

/** Whether the text is the kind of placeholder that documentation uses for secrets. */
function isExample(text: string): boolean {
  if (
    /example|sample|dummy|placeholder|your[-_]|x{6}|0{8}|1234567890|abcdefgh|redacted|user:pass/i.test(text)
  ) {
    return true;
  }
  const tail = text.slice(-16);
  return new Set(tail).size <= 4;
}
