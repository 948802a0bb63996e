import { readdirSync, readFileSync } from 'node:fs';

/** Returns the page `<code>.md` in a folder of pages. Returns undefined if the page does not exist or `code` is invalid. */
export function readPage(code: string, docs: URL): string | undefined {
  if (!/^[a-z0-9-]+\/[a-z0-9-]+$/.test(code)) return undefined;
  try {
    return readFileSync(new URL(`${code}.md`, docs), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the codes that have a page. Guides and the reference are in other folders. */
export function listCodes(docs: URL): string[] {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' });
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^[a-z0-9-]+\/[a-z0-9-]+\.md$/.test(file) && !/^(?:guides|reference)\//.test(file))
    .map((file) => file.slice(0, -3))
    .sort();
}
