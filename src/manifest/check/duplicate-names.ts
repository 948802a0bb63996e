import { dirname } from 'node:path';
import { relativePath } from '../../base/node/relative-path.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { LoadedManifest } from '../read/load-manifest.js';
import { createLocator } from '../yaml/locate-problem.js';

/** Names are unique: the second manifest of a run with a name is wrong. */
export function findDuplicateNames(manifests: readonly (LoadedManifest & { file: string })[]): Diagnostic[] {
  const first = new Map<string, string>();
  return manifests.flatMap((manifest): Diagnostic[] => {
    if (!manifest.ok) return [];
    const { file, source } = manifest;
    const { name } = manifest.value.integration;
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, file);
      return [];
    }
    return [
      {
        code: 'manifest/duplicate-name',
        severity: 'error',
        message: `Another manifest of this run has the name ${name} too: ${relativePath(dirname(file), other)}.`,
        help: 'Give each integration a name of its own.',
        file,
        range: createLocator(source.text)(['name']),
      },
    ];
  });
}
