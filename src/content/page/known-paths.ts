import type { Content, PageEntry } from '../content.js';

/**
 * Returns the paths that a link can point to: pages (with and without the extension), groups and other files. Page paths use
 * Unicode's composed form, because a link may encode an accent differently from the file name.
 */
export function knownPaths(content: Pick<Content, 'pages' | 'files'>): ReadonlySet<string> {
  const paths = new Set(content.files().map(({ path }) => path));
  const add = ({ path, file, pages }: PageEntry): void => {
    paths.add(path);
    if (file !== undefined) paths.add(file.normalize());
    pages.forEach(add);
  };
  content.pages().forEach(add);
  return paths;
}
