import { resolve } from 'node:path';
import type { BlockProblem } from '../content/content-problems.js';
import type { ContentWarning } from '../content/index.js';
import type { PageProblem } from '../content/page/index.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';

/** Converts a problem in a folder of pages to a diagnostic. */
export function describeProblem(
  folder: string,
  {
    code,
    file,
    message,
    help,
    line,
    column = 1,
  }: Pick<ContentWarning, 'message' | 'help' | 'line' | 'column' | 'file'> & {
    code: ContentWarning['code'] | PageProblem['code'] | BlockProblem;
  },
): Diagnostic {
  return {
    code: `content/${code}`,
    severity: 'warning',
    message,
    ...(help !== undefined && { help }),
    file: resolve(folder, file),
    ...(line !== undefined && { range: { start: { line, column }, end: { line, column: column + 1 } } }),
  };
}
