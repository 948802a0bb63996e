import { createIgnores } from '../../diagnostics/apply-ignores.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import {
  createLocator,
  findManifestIgnores,
  findMissingComponents,
  type Manifest,
} from '../../manifest/index.js';

/** The same code as in publish-check, where it is an error. */
const code = 'publish/missing-component';

/**
 * Finds blocks and screens that the script cannot render, with their lines in the manifest. Empty if the
 * script does not list its components.
 */
export function checkComponents(
  { file, text, integration }: Manifest,
  components: readonly string[] | undefined,
): Diagnostic[] {
  const missing = components ? findMissingComponents(integration, components) : [];
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
