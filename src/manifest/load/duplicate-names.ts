import { dirname } from 'node:path';
import { relativePath } from '../../base/node/relative-path.js';
import type { Diagnostic } from '../../diagnostics/model/diagnostic.js';
import type { LoadedManifest } from './load-manifest.js';
import { createLocator } from '../yaml/locate-problem.js';

/** Names must be unique, so the second of two manifests with the same name is reported. */
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
        message: `Another manifest in this run is also named ${name}: ${relativePath(dirname(file), other)}.`,
        help: 'Give each integration its own name.',
        file,
        range: createLocator(source.text)(['name']),
      },
    ];
  });
}
