import type { Content, PageEntry } from '../content.js';

/** Returns the paths to which a link can point: those of pages (with and without the extension), groups and other files. */
export function knownPaths(content: Pick<Content, 'pages' | 'files'>): ReadonlySet<string> {
  const paths = new Set(content.files().map(({ path }) => path));
  const add = ({ path, file, pages }: PageEntry): void => {
    paths.add(path);
    if (file !== undefined) paths.add(file);
    pages.forEach(add);
  };
  content.pages().forEach(add);
  return paths;
}
