import { count, paintDiff, relativePath, type Style } from '../../diagnostics/index.js';
import { filesToJson } from '../render-init.js';
import type { ImportedProject } from './import-project.js';
import type { InitFromResult } from './init-from.js';

/** What changes on the way, and what stays to be done. */
export const renderImported = ({ diff, unmapped }: ImportedProject, style: Style): string =>
  [
    paintDiff(diff, style),
    ...(unmapped.length > 0 ? ['Look at these:', ...unmapped.map((text) => `  - ${text}`), ''] : []),
  ].join('\n');

export function renderInitFrom(result: InitFromResult, cwd: string, style: Style): string {
  const { folder, files, written, next } = result;
  const shown = style.bold(relativePath(cwd, folder) || '.');
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
