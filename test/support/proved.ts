/** A smaller amount in most suites, to save time, and the whole in `npm run prove`. */
export const amount = (few: number, all: number): number => (process.env['PROVE'] === undefined ? few : all);

/** The first cases in most suites, and all of them in `npm run prove`. */
export const proved = <Case>(cases: readonly Case[], few = 1): readonly Case[] =>
  cases.slice(0, amount(few, cases.length));
