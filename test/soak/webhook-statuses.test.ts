import { expect, it } from 'vitest';
import { expectedRow, runStatusTable } from '../support/status-table.js';

it('records the correct outcome for every status from 100 to 599 and every kind of response', async () => {
  const rows = await runStatusTable(Array.from({ length: 500 }, (_, i) => 100 + i));
  const wrong = rows.filter((row) => {
    const { state, requests } = expectedRow(row.status, row.manner);
    return row.state !== state || row.requests !== requests;
  });
  const most = Math.max(...rows.map(({ requests }) => requests));
  console.log(
    `${rows.length} kinds of answer, ${wrong.length} against the rules, at most ${most} requests each`,
  );
  expect(wrong).toEqual([]);
  expect(most).toBe(4);
});
