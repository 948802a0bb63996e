import { readdir, readFile } from 'node:fs/promises';

/** The page `<code>.md` in a folder of pages; undefined where there is none, or `code` is no code. */
export async function readPage(code: string, docs: URL): Promise<string | undefined> {
  if (!/^[a-z0-9-]+\/[a-z0-9-]+$/.test(code)) return undefined;
  try {
    return await readFile(new URL(`${code}.md`, docs), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The codes that have a page. */
export async function listCodes(docs: URL): Promise<string[]> {
  const files = await readdir(docs, { recursive: true });
  return files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /^[a-z0-9-]+\/[a-z0-9-]+\.md$/.test(file))
    .map((file) => file.slice(0, -3))
    .sort();
}
