import type { StoreLimits } from '../model/store-limits.js';
import type { Cell, Sqlite } from '../sqlite/sqlite.js';

/** The size of all bodies, both in the calls' rows and in `traffic_body`. */
const bytesOf = (entries: string): string =>
  `SELECT total(length(request_body)) + total(length(response_body))
   + (SELECT total(length(chunk)) FROM traffic_body WHERE id IN (SELECT id FROM traffic WHERE ${entries}))
   FROM traffic WHERE ${entries}`;

/** `forgotten` is called after calls have been deleted. */
export function createCallTrim(db: Sqlite, limits: StoreLimits, forgotten: () => void) {
  const count = db.prepare('SELECT count(*) FROM traffic');
  const bytesKept = db.prepare(bytesOf('true'));
  const nth = db.prepare('SELECT position FROM traffic ORDER BY position LIMIT 1 OFFSET ?');
  const bytesUpTo = db.prepare(bytesOf('position <= ?1'));
  const removeBodiesUpTo = db.prepare(
    'DELETE FROM traffic_body WHERE id IN (SELECT id FROM traffic WHERE position <= ?)',
  );
  const removeUpTo = db.prepare('DELETE FROM traffic WHERE position <= ?');
  const oldestInRow = db.prepare(
    `SELECT position FROM traffic
     WHERE position > ? AND (request_body IS NOT NULL OR response_body IS NOT NULL)
     ORDER BY position LIMIT 1`,
  );
  const oldestBeside = db.prepare(
    `SELECT traffic.position FROM traffic_body JOIN traffic ON traffic.id = traffic_body.id
     ORDER BY traffic_body.position LIMIT 1`,
  );
  const bytesAt = db.prepare(bytesOf('position = ?1'));
  const removeBodyAt = db.prepare(
    'DELETE FROM traffic_body WHERE id = (SELECT id FROM traffic WHERE position = ?)',
  );
  const markDropped = db.prepare(
    'UPDATE traffic SET body_dropped = 1, request_body = NULL, response_body = NULL WHERE position = ?',
  );

  let total: number | undefined;
  /** No row up to this position contains a body. */
  let bodiless = 0;

  const toNumber = (row: Cell[] | undefined): number => Number(row?.[0] ?? 0);

  return {
    /** Deletes the oldest calls and bodies to make room for `added` more bytes within the limits. */
    run(added: number) {
      let bytes = total === undefined ? toNumber(bytesKept.first()) : total + added;
      const excess = toNumber(count.first()) - limits.entries;
      const last = excess > 0 ? nth.first(excess - 1)?.[0] : undefined;
      if (last !== undefined) {
        bytes -= toNumber(bytesUpTo.first(last));
        removeBodiesUpTo.run(last);
        removeUpTo.run(last);
        forgotten();
      }
      while (bytes > limits.bodyBytes) {
        const inRow = oldestInRow.first(bodiless);
        const found = [inRow, oldestBeside.first()].flatMap((row) => (row ? [toNumber(row)] : []));
        if (found.length === 0) break;
        const oldest = Math.min(...found);
        bytes -= toNumber(bytesAt.first(oldest));
        removeBodyAt.run(oldest);
        markDropped.run(oldest);
        if (inRow) bodiless = toNumber(inRow) - 1;
      }
      total = bytes;
    },
    /** Must be called after a rollback, because the counts are then out of date. */
    rolledBack() {
      total = undefined;
      bodiless = 0;
    },
  };
}
