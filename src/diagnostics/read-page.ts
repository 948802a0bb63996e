import { readdirSync, readFileSync } from 'node:fs';

const heading = /^## (?=[a-z]+\/[a-z0-9-]+$)/m;

/** The sections of `docs/problems/<family>.md`, by their code. Each section is returned as a page of its own. */
function readFamily(family: string, docs: URL): Map<string, string> {
  try {
    const [, ...sections] = readFileSync(new URL(`problems/${family}.md`, docs), 'utf8').split(heading);
    return new Map(sections.map((text) => [/^.*/.exec(text)![0], `# ${text.trimEnd()}\n`]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

/** Returns the section about a code. Returns undefined if the section does not exist or `code` is invalid. */
export function readPage(code: string, docs: URL): string | undefined {
  const family = /^([a-z]+)\//.exec(code)?.[1];
  return family && readFamily(family, docs).get(code);
}

export const listCodes = (docs: URL): string[] =>
  readdirSync(new URL('problems/', docs))
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => [...readFamily(file.slice(0, -3), docs).keys()])
    .sort();
