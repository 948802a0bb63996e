import type { CallProblems } from '../../contract/routes/calls.js';

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`];

/** "6 errors and 1 warning", or nothing. */
export const problemWords = (errors: number, warnings: number): string =>
  [...counted(errors, 'error'), ...counted(warnings, 'warning')].join(' and ');

/** The problems of the current version. */
export const currentWords = ({ errors, warnings }: CallProblems): string =>
  problemWords(errors.current, warnings.current);

/** The address of the calls that are counted. */
export const problemFilter = (errors: number, warnings: number, scope: { current?: 'true' }) => ({
  ...(errors > 0 && { failed: 'true' }),
  ...(warnings > 0 && { warnings: 'true' }),
  ...scope,
});
