import type { Content, PageEntry } from '../content.js';

/**
 * Returns the paths that a link can point to: pages (with and without the extension), groups and other files, each with the
 * page's file. Page paths use Unicode's composed form, because a link may encode an accent differently from the file name.
 */
export function knownPaths(
  content: Pick<Content, 'pages' | 'files'>,
): ReadonlyMap<string, string | undefined> {
  const paths = new Map<string, string | undefined>(content.files().map(({ path }) => [path, undefined]));
  const add = ({ path, file, pages }: PageEntry): void => {
    paths.set(path, file);
    if (file !== undefined) paths.set(file.normalize(), file);
    pages.forEach(add);
  };
  content.pages().forEach(add);
  return paths;
}
