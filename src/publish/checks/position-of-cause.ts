import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/index.js';
import type { PublishFinding } from './check.js';
import type { ThrownError } from '../../base/text/thrown-error.js';
import type { Submission } from '../submission/submission.js';

/** Whether the error comes from an API that the "Web APIs" check already reports. If so, the error is not reported again. */
export function isRefusedApi(cause: ThrownError | undefined, submission: Submission): boolean {
  const { building, apis } = submission;
  return [...building, ...apis].some(
    (found) =>
      found.severity === 'error' &&
      cause !== undefined &&
      (cause.message.includes(found.message) || isAtLineOf(cause, found, submission)),
  );
}

export const nonPortableAt = (cause: ThrownError, submission: Submission): Diagnostic | undefined =>
  submission.apis.find((found) => found.severity === 'warning' && isAtLineOf(cause, found, submission));

const isAtLineOf = (
  { position }: ThrownError,
  { file, range }: Diagnostic,
  { manifest }: Submission,
): boolean =>
  position !== undefined &&
  file === join(manifest.folder, position.path) &&
  range?.start.line === position.line;

/** Returns the author's line that caused the error if it is known, or else a position in the manifest. */
export function positionOf(
  cause: ThrownError | undefined,
  { manifest, sources = [] }: Submission,
  path: NonNullable<PublishFinding['path']>,
): Pick<PublishFinding, 'file' | 'range' | 'path'> {
  const { position } = cause ?? {};
  if (!position || !sources.some((source) => source.path === position.path)) return { path };
  const start = { line: position.line, column: position.column };
  return { file: join(manifest.folder, position.path), range: { start, end: start } };
}
