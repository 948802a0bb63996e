import { createHash } from 'node:crypto';
import { count, type View } from '../../diagnostics/index.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { InitResult } from './init.js';
import type { ProjectFiles } from '../files/files-in-memory.js';
import { templates } from './template-list.js';
import { wrapText } from '../../terminal/wrap-text.js';

export type Page = Pick<View, 'cwd' | 'style' | 'width'>;

export function renderInit(result: InitResult, { cwd, style, width }: Page): string {
  const { folder, project, files, next, todo, written } = result;
  const shown = style.bold(relativePath(cwd, folder) || 'an integration here,');
  const number = count(files.size, 'file');
  const made = `from the template ${project.template.name}`;
  return [
    written
      ? `${style.green('Created')} ${shown} ${made}: ${number}.`
      : `Would create ${shown} ${made}: ${number}.`,
    ...(written ? [] : [...files.keys()].map((path) => `  ${path}`)),
    '',
    'Next:',
    ...next.map((command) => `  ${style.cyan(command)}`),
    '',
    'Before you publish it:',
    renderPoints(todo, width),
  ].join('\n');
}

export const initToJson = ({ folder, project, files, next, todo }: InitResult, cwd: string): object => ({
  folder: relativePath(cwd, folder) || '.',
  template: project.template.name,
  files: filesToJson(files),
  next,
  todo,
});

export const filesToJson = (files: ProjectFiles): object[] =>
  [...files].map(([path, bytes]) => ({ path, sha256: sha256(bytes) }));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function renderTemplates(style: View['style']): string {
  const width = Math.max(...templates.map(({ name }) => name.length));
  return templates.map(({ name, summary }) => `${style.cyan(name.padEnd(width))}  ${summary}`).join('\n');
}

/** Each on lines of its own, wrapped under its first word. */
export const renderPoints = (texts: readonly string[], width: number): string =>
  texts.map((text) => `  - ${wrapText(text, width - 4).join('\n    ')}`).join('\n');
