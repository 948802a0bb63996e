import { count } from '../../diagnostics/report/render-summary.js';
import { paintDiff } from '../../terminal/paint-diff.js';
import { relativePath } from '../../base/node/relative-path.js';
import { filesToJson, renderPoints, type Page } from '../init/render-init.js';
import type { ImportedProject } from './import-project.js';
import type { InitFromResult } from './init-from.js';
import { renderDecision } from './model/open-decision.js';

export const renderImported = ({ diff, decisions }: ImportedProject, { style, width }: Page): string =>
  [
    paintDiff(diff, style),
    ...(decisions.length > 0
      ? [
          `${count(decisions.length, 'decision')} left for you to make:`,
          renderPoints(decisions.map(renderDecision), width),
          '',
        ]
      : []),
  ].join('\n');

export function renderInitFrom(result: InitFromResult, { cwd, style }: Page): string {
  const { folder, files, written, next, types } = result;
  const shown = style.bold(relativePath(cwd, folder) || 'an integration here');
  return [
    `${written ? style.green('Created') : 'Would create'} ${shown}: ${count(files.size, 'file')}.`,
    ...(types?.passed === undefined ? [] : [renderTypes(types.command, types.passed)]),
    '',
    'Next:',
    ...next.map((command) => `  ${style.cyan(command)}`),
  ].join('\n');
}

const renderTypes = (command: string, passed: boolean): string =>
  passed
    ? 'The type check passed.'
    : `The type check failed; its errors are above. Fix them, and run "${command}" again.`;

export const initFromToJson = (result: InitFromResult, cwd: string): object => ({
  folder: relativePath(cwd, result.folder) || '.',
  files: filesToJson(result.files),
  diff: result.diff,
  decisions: result.decisions,
  types: result.types,
  next: result.next,
});
