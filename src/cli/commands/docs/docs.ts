import { nearest } from '../../../base/did-you-mean.js';
import { docsFolder } from '../../../base/package-files.js';
import { UserError } from '../../../base/user-error.js';
import { defineCommand, fine, type CommandContext } from '../../context/command.js';
import type { Page } from './search-pages.js';

export const docs = defineCommand({
  name: 'docs',
  summary: 'search the documentation, or print a page',
  description:
    'Search the documentation offline, and print the best-matching section. Without arguments, list all pages.',
  arguments: { '[words...]': 'search terms, or a page such as guides/oauth' },
  examples: {
    'platform docs retry a webhook': 'print the best match, and list five more pages',
    'platform docs guides/oauth': 'print a page',
    'platform docs': 'list all pages',
  },
  async run(context, words) {
    const { listPages, searchPages } = await import('./search-pages.js');
    const pages = listPages(docsFolder);
    const [first = 'README'] = words;
    const address = first.replace(/^(?:\.{0,2}\/)*(?:docs\/)?/, '').replace(/(?:\.md)?(?:#.*)?$/, '');
    const page = pages.find((one) => one.page === address);
    if (words.length <= 1 && page) return printPage(context, page);
    const isCode = pages.some(({ text }) => text.includes(`\n## ${first}\n`));
    if (words.length === 1 && /\/|\.md$/.test(first) && !isCode) throw unknownPage(address, pages);

    const [best, ...others] = searchPages(pages, words);
    if (!best)
      throw new UserError(
        'no-match',
        `No page matches "${words.join(' ')}".`,
        'Try other words, or list the pages with: platform docs',
      );
    const more = others.slice(0, 5).map(({ page: other, title }) => ({ page: other, title }));
    const next = `platform docs ${best.page}`;
    if (context.json) {
      context.emit({ best, more, next });
      return fine;
    }
    context.print(`${best.page}: ${best.heading}\n\n`);
    await printMarkdown(context, `${best.text}\n`);
    if (more.length > 0) {
      const width = Math.max(...more.map(({ page: other }) => other.length));
      context.print(
        `\nmore pages\n${more.map((one) => `  ${one.page.padEnd(width)}  ${one.title}\n`).join('')}`,
      );
    }
    context.print(`next: ${next}\n`);
    return fine;
  },
});

async function printPage(context: CommandContext, { page, title, text }: Page): Promise<typeof fine> {
  if (context.json) context.emit({ page, title, text });
  else await printMarkdown(context, text);
  return fine;
}

async function printMarkdown(context: CommandContext, markdown: string): Promise<void> {
  if (!context.io.stdout.isTTY) return context.print(markdown);
  const { renderPage } = await import('../../../diagnostics/index.js');
  context.print(renderPage(markdown, { style: context.style, width: Math.min(context.width, 90) }));
}

function unknownPage(address: string, pages: readonly Page[]): UserError {
  const names = pages.map(({ page }) => page);
  const last = (page: string): string => page.replace(/^.*\//, '');
  const ending = nearest(last(address), names.map(last)) ?? last(address);
  const near = nearest(address, names) ?? names.find((page) => last(page) === ending);
  return new UserError(
    'unknown-page',
    `Page not found: "${address}".`,
    near ? `Did you mean "${near}"?` : 'List the pages with: platform docs',
  );
}
