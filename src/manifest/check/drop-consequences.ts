import { nearestAll } from '../../base/did-you-mean.js';
import type { SchemaErrorAt } from './rule-support/schema-errors.js';
import { findEntry } from '../yaml/locate-problem.js';
import type { Node } from '../yaml/tree.js';

/** Drops errors caused by another error, so each problem is reported only once. */
export function dropConsequences(byCode: Map<string, SchemaErrorAt[]>, root: Node): void {
  const unknown = byCode.get('manifest/unknown-key') ?? [];
  const foreign = byCode.get('manifest/key-of-other-type') ?? [];
  const drop = (code: string, follows: (mistake: SchemaErrorAt) => boolean): void => {
    const mistakes = byCode.get(code);
    if (mistakes)
      byCode.set(
        code,
        mistakes.filter((mistake) => !follows(mistake)),
      );
  };
  const wrongType = ({ path }: SchemaErrorAt): boolean => foreign.some((other) => samePath(other.path, path));
  const mistyped = ({ path, key = '' }: SchemaErrorAt): boolean =>
    unknown.some((other) => samePath(other.path, path) && nearestAll(other.key ?? '', [key]).length > 0);
  /** A missing field may be provided by a merge key (`<<`), which the reader does not resolve. */
  const merged = ({ path }: SchemaErrorAt): boolean => {
    const node = path.length === 0 ? root : findEntry(root, path)?.node;
    return node?.kind === 'map' && node.refused?.some(({ key }) => key === '<<') === true;
  };
  drop('manifest/missing-key', (mistake) => mistyped(mistake) || wrongType(mistake) || merged(mistake));
  drop('manifest/invalid-default', ({ path, ...mistake }) =>
    wrongType({ ...mistake, path: path.slice(0, -1) }),
  );
}

const samePath = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);
