import { createIgnores } from '../../diagnostics/apply-ignores.js';
import type { DefinedIds } from '../../sandbox/index.js';
import type { Diagnostic } from '../../diagnostics/model/diagnostic.js';
import {
  createLocator,
  findManifestIgnores,
  findMissingComponents,
  type Manifest,
} from '../../manifest/index.js';

/** publish-check reports an error with the same code. */
const code = 'publish/missing-component';

/**
 * Finds blocks, screens and content sources that the script does not define, and their lines in the manifest. Returns an empty
 * list if the script does not list its components.
 */
export function checkComponents(
  { file, text, integration }: Manifest,
  ids: DefinedIds | undefined,
): Diagnostic[] {
  const missing = ids ? findMissingComponents(integration, ids) : [];
  if (missing.length === 0) return [];
  const locate = createLocator(text);
  const ignores = createIgnores({
    comments: new Map([[file, findManifestIgnores(text)]]),
    codes: [code],
    isLocked: () => false,
  });
  return ignores
    .apply(
      missing.map(({ path, ...one }) => ({ code, severity: 'warning', file, range: locate(path), ...one })),
    )
    .filter(({ ignored }) => ignored === undefined);
}
