import { count } from '../../diagnostics/index.js';
import { paintDiff } from '../../terminal/paint-diff.js';
import { relativePath } from '../../base/node/relative-path.js';
import { filesToJson, renderPoints, type Page } from '../init/render-init.js';
import type { ImportedProject } from './import-project.js';
import type { InitFromResult } from './init-from.js';

/** What changes on the way, and what stays to be done. */
export const renderImported = ({ diff, unmapped }: ImportedProject, { style, width }: Page): string =>
  [
    paintDiff(diff, style),
    ...(unmapped.length > 0 ? ['Look at these:', renderPoints(unmapped, width), ''] : []),
  ].join('\n');

export function renderInitFrom(result: InitFromResult, { cwd, style }: Page): string {
  const { folder, files, written, next } = result;
  const shown = style.bold(relativePath(cwd, folder) || 'an integration here');
  return [
    `${written ? style.green('Created') : 'Would create'} ${shown}: ${count(files.size, 'file')}.`,
    '',
    'Next:',
    ...next.map((command) => `  ${style.cyan(command)}`),
  ].join('\n');
}

export const initFromToJson = (result: InitFromResult, cwd: string): object => ({
  folder: relativePath(cwd, result.folder) || '.',
  files: filesToJson(result.files),
  diff: result.diff,
  unmapped: result.unmapped,
  next: result.next,
});
