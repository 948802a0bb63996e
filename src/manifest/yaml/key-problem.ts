import type { Entry, Problem, Span } from './tree.js';

/** What is wrong with a key, beside the keys before it in the same map. */
export function keyProblem(
  key: unknown,
  place: Span,
  text: string,
  entries: ReadonlyMap<string, Entry>,
): Problem | undefined {
  if (typeof key !== 'string') {
    return {
      code: 'manifest/non-string-key',
      message: 'A key must be text.',
      help: 'Put the key in quotes.',
      ...place,
    };
  }
  if (key === '__proto__' || key === '<<') {
    return {
      code: 'manifest/reserved-key',
      message: key === '<<' ? 'Merge keys are not read.' : `The key ${key} cannot be used.`,
      help: key === '<<' ? 'Write the keys out.' : 'Choose another name.',
      ...place,
    };
  }
  const first = entries.get(key);
  if (!first) return undefined;
  return {
    code: 'manifest/duplicate-key',
    message: `The key ${key} stands here a second time.`,
    help: `It stands on line ${lineOf(text, first.keyStart)} already. Keep one of them.`,
    ...place,
  };
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
