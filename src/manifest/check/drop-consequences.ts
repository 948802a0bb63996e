import { nearestAll } from '../../base/nearest-name.js';
import type { SchemaMistake } from './schema-errors.js';

/** Takes out the mistakes that follow from another one: each is told once. */
export function dropConsequences(byCode: Map<string, SchemaMistake[]>): void {
  const unknown = byCode.get('manifest/unknown-key') ?? [];
  const foreign = byCode.get('manifest/key-of-other-type') ?? [];
  const drop = (code: string, follows: (mistake: SchemaMistake) => boolean): void => {
    const mistakes = byCode.get(code);
    if (mistakes)
      byCode.set(
        code,
        mistakes.filter((mistake) => !follows(mistake)),
      );
  };
  const wrongType = ({ path }: SchemaMistake): boolean => foreign.some((other) => samePath(other.path, path));
  const mistyped = ({ path, key = '' }: SchemaMistake): boolean =>
    unknown.some((other) => samePath(other.path, path) && nearestAll(other.key ?? '', [key]).length > 0);
  drop('manifest/missing-key', (mistake) => mistyped(mistake) || wrongType(mistake));
  drop('manifest/invalid-default', ({ path, ...mistake }) =>
    wrongType({ ...mistake, path: path.slice(0, -1) }),
  );
}

const samePath = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);
