import { nearest } from '../../base/did-you-mean.js';
import type { ContentWarning } from '../content.js';
import { parentOf, type FileFacts } from './read-file-facts.js';
import type { FolderFacts } from './read-folder.js';

/** Limited, because finding suggestions in a large folder takes time. */
const mostSuggestions = 20;

/** Reports entries in `SUMMARY.md` that point to missing files. */
export function findMissingPages({ files, warnings }: FolderFacts): ContentWarning[] {
  const { path: file = '', summary } = [...files.values()].find((one) => one.summary) ?? {};
  const skipped = new Set(warnings.map((warning) => warning.file));
  const missing = [...(summary ?? [])].filter(([path]) => !files.has(path) && !skipped.has(path));
  return missing.map(([path, { line, column }], nth): ContentWarning => {
    const near = nth < mostSuggestions ? suggest(path, files) : undefined;
    return {
      code: 'missing-page',
      file,
      message: `The entry points to ${path}, which is not a file in the folder.`,
      help: near === undefined ? `Create ${path}, or remove the entry.` : `Did you mean ${near}?`,
      line,
      column,
    };
  });
}

/** Returns a file with the same name in another folder, or a file with a similar name in the same folder. */
function suggest(path: string, files: ReadonlyMap<string, FileFacts>): string | undefined {
  const [name, folder] = [nameOf(path), parentOf(path)];
  const siblings: string[] = [];
  for (const other of files.keys()) {
    if (nameOf(other) === name) return other;
    if (parentOf(other) === folder) siblings.push(other);
  }
  return nearest(path, siblings);
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).toLowerCase();
