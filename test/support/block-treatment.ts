import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository, type CodeBlock } from './code-blocks.js';

/** How thoroughly a test checks a code block. */
export type Treatment = 'run' | 'compiled' | 'parsed' | 'output' | 'marked';

/** The examples on a problem page are fragments of a project that the page does not show in full. */
export const isProblemPage = (page: string): boolean => page.startsWith('docs/problems/');
const isReference = (page: string): boolean => page.startsWith('docs/reference/');
const isRun = (page: string): boolean => page === 'README.md' || page.startsWith('docs/guides/');

export const codeLanguages = ['ts', 'tsx', 'js', 'jsx', 'mjs'];

export function treatmentOf(block: CodeBlock): Treatment | undefined {
  const { page, language, mark } = block;
  if (mark) {
    if (mark.name === 'not run') return mark.text ? 'marked' : undefined;
    if (mark.name === 'run by') return existsSync(join(repository, mark.text)) ? 'run' : undefined;
    const named = mark.text !== '' || ['run', 'output'].includes(mark.name);
    if (['file', 'append', 'run', 'background', 'output'].includes(mark.name))
      return isRun(page) && named ? 'run' : undefined;
  }
  if (language === 'console') return isRun(page) ? 'run' : undefined;
  if (codeLanguages.includes(language))
    return isProblemPage(page) || isReference(page) ? 'parsed' : 'compiled';
  // test/content/odd-names.test.ts reads these examples as pages.
  if (language === 'md') return isProblemPage(page) ? 'parsed' : undefined;
  if (['sh', 'yaml', 'json', 'ndjson', 'python'].includes(language)) return 'parsed';
  return language === 'text' ? 'output' : undefined;
}
