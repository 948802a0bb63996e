import { createHash } from 'node:crypto';
import type { View } from '../../diagnostics/index.js';
import { count } from '../../diagnostics/report/render-summary.js';
import { relativePath } from '../../base/node/relative-path.js';
import type { InitResult } from './init.js';
import type { ProjectFiles } from '../files/files-in-memory.js';
import { templates } from '../model/template-list.js';
import { wrapText } from '../../terminal/wrap-text.js';

export type Page = Pick<View, 'cwd' | 'style' | 'width'>;

export function renderInit(result: InitResult, { cwd, style, width }: Page): string {
  const { folder, project, files, notWritten, next, todo, written } = result;
  const shown = style.bold(relativePath(cwd, folder) || 'an integration here,');
  const number = count(files.size, 'file');
  const made = `from the ${project.template.name} template`;
  return [
    written
      ? `${style.green('Created')} ${shown} ${made}: ${number}.`
      : `Would create ${shown} ${made}: ${number}.`,
    ...(written ? [] : [...files.keys()].map((path) => `  ${path}`)),
    ...(notWritten ? ['', ...renderNotWritten(notWritten, cwd, width)] : []),
    '',
    'Next:',
    ...next.map((command) => `  ${style.cyan(command)}`),
    '',
    'Before you publish it:',
    renderPoints(todo, width),
  ].join('\n');
}

function renderNotWritten(
  { paths, repository }: NonNullable<InitResult['notWritten']>,
  cwd: string,
  width: number,
): string[] {
  const root = relativePath(cwd, repository) || '.';
  const text = `Not written, because workflows and hooks work only at the root of the Git repository (${root}):`;
  return [
    ...wrapText(text, width),
    ...paths.map((path) => `  ${path}`),
    ...wrapText('To add them there, see docs/guides/ci.md of integration-platform.', width),
  ];
}

export const initToJson = (
  { folder, project, files, notWritten, next, todo }: InitResult,
  cwd: string,
): object => ({
  folder: relativePath(cwd, folder) || '.',
  template: project.template.name,
  files: filesToJson(files),
  ...(notWritten && { notWritten: notWritten.paths }),
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

/** Puts each item on its own line, and indents wrapped lines. */
export const renderPoints = (texts: readonly string[], width: number): string =>
  texts.map((text) => `  - ${wrapText(text, width - 4).join('\n    ')}`).join('\n');
