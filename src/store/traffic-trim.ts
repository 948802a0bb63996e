import type { StoreLimits } from './limits.js';
import type { Cell, Sqlite } from './sqlite.js';

export interface TrafficTrim {
  /** Forgets the oldest entries and the oldest bodies beyond the limits, after `added` bytes more. */
  run(added: number): void;
  /** The transaction was undone: what was counted is no longer true. */
  recount(): void;
}

export function createTrafficTrim(db: Sqlite, limits: StoreLimits): TrafficTrim {
  const count = db.prepare('SELECT count(*) FROM traffic');
  const oldest = db.prepare('SELECT id FROM traffic ORDER BY position LIMIT ?');
  const remove = db.prepare('DELETE FROM traffic WHERE id = ?');
  const allBytes = db.prepare('SELECT sum(length(chunk)) FROM traffic_body');
  const oldestBody = db.prepare('SELECT id FROM traffic_body ORDER BY position LIMIT 1');
  const bytesOf = db.prepare('SELECT sum(length(chunk)) FROM traffic_body WHERE id = ?');
  const removeBody = db.prepare('DELETE FROM traffic_body WHERE id = ?');
  const markDropped = db.prepare('UPDATE traffic SET body_dropped = 1 WHERE id = ?');

  let total: number | undefined;

  const dropBody = (id: Cell): number => {
    const bytes = Number(bytesOf.first(id)?.[0] ?? 0);
    removeBody.run(id);
    return bytes;
  };

  return {
    run(added) {
      let bytes = total === undefined ? Number(allBytes.first()?.[0] ?? 0) : total + added;
      const excess = Number(count.first()?.[0] ?? 0) - limits.entries;
      for (const [id = null] of excess > 0 ? oldest.all(excess) : []) {
        bytes -= dropBody(id);
        remove.run(id);
      }
      while (bytes > limits.bodyBytes) {
        const id = oldestBody.first()?.[0];
        if (id === undefined) break;
        bytes -= dropBody(id);
        markDropped.run(id);
      }
      total = bytes;
    },
    recount() {
      total = undefined;
    },
  };
}
