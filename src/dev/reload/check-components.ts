import { createIgnores } from '../../diagnostics/apply-ignores.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import {
  createLocator,
  findManifestIgnores,
  findMissingComponents,
  type Manifest,
} from '../../manifest/index.js';

/** The same as in publish-check, where it is an error. */
const code = 'publish/missing-component';

/** Blocks and screens that the script can't draw, at their lines of the manifest. Nothing where it doesn't say. */
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
