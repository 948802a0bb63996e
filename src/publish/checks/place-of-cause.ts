import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/index.js';
import type { PublishFinding } from '../check.js';
import type { ThrownError } from '../../base/text/thrown-error.js';
import type { Submission } from '../submission/submission.js';

/**
 * Whether the error comes from an API that the "Web APIs" check already reports, so that one cause is one
 * problem.
 */
export function isRefusedApi(cause: ThrownError | undefined, submission: Submission): boolean {
  const { building, apis } = submission;
  return [...building, ...apis].some(
    (found) =>
      found.severity === 'error' &&
      cause !== undefined &&
      (cause.message.includes(found.message) || isAtLineOf(cause, found, submission)),
  );
}

/** The non-portable API in the line that the error comes from. */
export const nonPortableAt = (cause: ThrownError, submission: Submission): Diagnostic | undefined =>
  submission.apis.find((found) => found.severity === 'warning' && isAtLineOf(cause, found, submission));

const isAtLineOf = ({ place }: ThrownError, { file, range }: Diagnostic, { manifest }: Submission): boolean =>
  place !== undefined && file === join(manifest.folder, place.path) && range?.start.line === place.line;

/** The author's line that the error comes from if it is known, otherwise a position in the manifest. */
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
