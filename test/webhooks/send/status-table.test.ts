import { expect, it } from 'vitest';
import { amount } from '../../support/proved.js';
import { expectedRow, runStatusTable } from '../../support/status-table.js';

const all = Array.from({ length: 500 }, (_, i) => 100 + i);
const some = [
  100, 101, 103, 199, 200, 204, 205, 299, 301, 304, 307, 400, 404, 408, 428, 429, 430, 499, 500, 503, 599,
];
const statuses = all.filter((status) => some.includes(status) || amount(0, 1) === 1);

it('records the correct outcome for every status and every kind of response', async () => {
  const rows = await runStatusTable(statuses);
  console.log(
    `${rows.length} kinds of answer, at most ${Math.max(...rows.map(({ requests }) => requests))} requests each`,
  );
  expect(rows).toHaveLength(statuses.length * 4);
  expect(rows.map(({ status, manner, state, requests }) => ({ status, manner, state, requests }))).toEqual(
    rows.map(({ status, manner }) => ({ status, manner, ...expectedRow(status, manner) })),
  );
  const resultsOf = (status: number, manner: string): string[] =>
    rows.find((row) => row.status === status && row.manner === manner)?.results ?? [];
  expect(resultsOf(200, 'reset')).toEqual(Array(4).fill('cut-short'));
  expect(resultsOf(404, 'stall')).toEqual(Array(4).fill('timeout'));
  expect(resultsOf(429, 'body')).toEqual(Array(4).fill('429'));
  expect(resultsOf(301, 'empty')).toEqual(['301']);
});
