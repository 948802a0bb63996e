import { createIgnores } from '../../diagnostics/apply-ignores.js';
import type { DefinedIds } from '../../sandbox/index.js';
import type { Diagnostic } from '../../diagnostics/model/diagnostic.js';
import {
  createLocator,
  findManifestIgnores,
  findMissingComponents,
  type Manifest,
} from '../../manifest/index.js';
import { findDeadHandlers } from '../../protocol/dead-handlers.js';

/** publish-check reports problems with the same codes. */
const codes = { component: 'publish/missing-component', event: 'publish/event-scope' };

/**
 * Finds blocks, screens and content sources that the script does not define, and event handlers that never run. Line
 * numbers refer to the manifest. Returns an empty list if the script does not list what it defines.
 */
export function checkDefinition(
  { file, text, integration }: Manifest,
  ids: DefinedIds | undefined,
): Diagnostic[] {
  if (!ids) return [];
  const found = [
    ...findMissingComponents(integration, ids).map((one) => ({ code: codes.component, ...one })),
    ...findDeadHandlers(ids.eventKeys).map((one) => ({ code: codes.event, path: ['script'], ...one })),
  ];
  if (found.length === 0) return [];
  const locate = createLocator(text);
  const ignores = createIgnores({
    comments: new Map([[file, findManifestIgnores(text)]]),
    codes: Object.values(codes),
    isLocked: () => false,
  });
  return ignores
    .apply(found.map(({ path, ...one }) => ({ severity: 'warning', file, range: locate(path), ...one })))
    .filter(({ ignored }) => ignored === undefined);
}
