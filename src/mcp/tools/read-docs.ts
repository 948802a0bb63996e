import type { Tools } from './tool-context.js';
import { UserError } from '../../base/user-error.js';

/** All text in these answers comes from this package. The caller's input is only looked up in the package's own lists. */
export const docsTools: Tools<'explain' | 'docs'> = {
  explain({ code }, { codes }) {
    const asked = String(code);
    const matching = codes.list().filter((one) => one === asked || one.endsWith(`/${asked}`));
    const [found] = matching;
    const page = matching.length === 1 && found !== undefined ? codes.page(found) : undefined;
    if (found === undefined || page === undefined)
      throw new UserError(
        'not-found',
        'Unknown problem code. To list the problems that were found, call the tool problems.',
      );
    return { about: { code: found }, text: page, next: 'problems {}: lists what is left' };
  },
  docs({ question, page }, { docs }) {
    if (page !== undefined) {
      const found = docs.pages().find((one) => one.page === page);
      if (!found)
        throw new UserError('not-found', 'Page not found. To list all pages, call docs without arguments.');
      return { text: found.text, next: 'docs {"question":"…"}: searches all pages' };
    }
    if (question === undefined)
      return {
        text: docs
          .pages()
          .map((one) => `${one.page}: ${one.title}`)
          .join('\n'),
        next: 'docs {"page":"…"}: shows one of them',
      };
    const [best, ...others] = docs.search(typeof question === 'string' ? question : '');
    if (!best)
      throw new UserError(
        'not-found',
        'No page matches. Try other words, or call docs without arguments to list all pages.',
      );
    const more = others.slice(0, 5).map((one) => `${one.page}: ${one.title}`);
    return {
      text: [`${best.page}: ${best.heading}`, '', best.text, '', 'More pages:', ...more].join('\n'),
      next: `docs {"page":"${best.page}"}: shows the whole page`,
    };
  },
};
