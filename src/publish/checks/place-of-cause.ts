import { join } from 'node:path';
import type { PublishFinding } from '../check.js';
import type { ThrownError } from '../../base/text/thrown-error.js';
import type { Submission } from '../submission/submission.js';

/** Whether "Web APIs" fails for what an error comes from: one cause is one finding. */
export function isRefusedApi(
  cause: ThrownError | undefined,
  { manifest, building, apis }: Submission,
): boolean {
  if (!cause) return false;
  const { message, place } = cause;
  const file = place && join(manifest.folder, place.path);
  return [...building, ...apis].some(
    (found) =>
      found.severity === 'error' &&
      (message.includes(found.message) || (found.file === file && found.range?.start.line === place?.line)),
  );
}

/** The author's line that an error comes from, if it is known, else a place in the manifest. */
export function placeOf(
  cause: ThrownError | undefined,
  { manifest, sources = [] }: Submission,
  path: NonNullable<PublishFinding['path']>,
): Pick<PublishFinding, 'file' | 'range' | 'path'> {
  const { place } = cause ?? {};
  if (!place || !sources.some((source) => source.path === place.path)) return { path };
  const start = { line: place.line, column: place.column };
  return { file: join(manifest.folder, place.path), range: { start, end: start } };
}
