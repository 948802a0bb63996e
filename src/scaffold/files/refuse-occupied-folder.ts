import { existsSync, readdirSync, statSync } from 'node:fs';
import { UserError } from '../../base/user-error.js';
import { isUnfinished } from './clear-leftovers.js';
import type { ProjectFiles } from './files-in-memory.js';

export function entriesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name !== '.git' && !isUnfinished(name))
    .sort();
}

/** Rejects a folder that contains files, so that nothing is overwritten. */
export function refuseOccupied(folder: string, shown: string, files: ProjectFiles): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new UserError('not-a-folder', `${shown} is a file.`, 'Choose another folder.');
  }
  const entries = entriesOf(folder);
  if (entries.length === 0) return;
  const wanted = new Set([...files.keys()].map((path) => path.split('/')[0] ?? ''));
  const lines = entries.map((name) => (wanted.has(name) ? `${name}  (init would write it too)` : name));
  const rest = lines.length - longest;
  throw new UserError(
    'folder-not-empty',
    `${shown} is not empty, so nothing was written. It contains:`,
    [
      ...lines.slice(0, longest),
      ...(rest > 0 ? [`and ${rest} more`] : []),
      entries.every((name) => installed.has(name))
        ? 'Create the project in a new folder, with: npx platform init my-integration'
        : 'Choose a new or empty folder.',
    ].join('\n'),
  );
}

/** What `npm install` writes in an empty folder. */
const installed = new Set(['node_modules', 'package.json', 'package-lock.json']);

const longest = 20;
