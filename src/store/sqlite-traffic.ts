import type { Clock } from '../protocol/clock.js';
import { joinBytes } from './join-bytes.js';
import type { StoreLimits } from './limits.js';
import { fromBlob, toBlob, type Cell, type Sqlite } from './sqlite.js';
import { createTrafficBuffer, type GatheredTraffic } from './traffic-buffer.js';
import { defaultPage, matchesEntry } from './traffic-query.js';
import { createTrafficTrim } from './traffic-trim.js';
import type { TrafficEntry, TrafficLog, TrafficQuery } from './traffic.js';

type Listed = { position: number; entry: TrafficEntry };

const readAtOnce = 500;

export function createSqliteTraffic(
  db: Sqlite,
  clock: Clock,
  limits: StoreLimits,
  trouble?: (error: unknown) => void,
): TrafficLog & { close(): void } {
  const upsert = db.prepare(
    'INSERT INTO traffic (id, entry) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET entry = excluded.entry',
  );
  // The rest of a body whose start is gone would be no use.
  const insertBody = db.prepare(
    `INSERT INTO traffic_body (id, which, chunk) SELECT ?1, ?2, ?3
     WHERE NOT EXISTS (SELECT 1 FROM traffic WHERE id = ?1 AND body_dropped = 1)`,
  );
  const select = db.prepare('SELECT entry FROM traffic WHERE id = ?');
  const selectBody = db.prepare(
    'SELECT chunk FROM traffic_body WHERE id = ? AND which = ? ORDER BY position',
  );
  const page = (order: 'ASC' | 'DESC') =>
    db.prepare(
      `SELECT position, entry FROM traffic WHERE position > ? AND position < ?
       ORDER BY position ${order} LIMIT ?`,
    );
  const oldestFirst = page('ASC');
  const newestFirst = page('DESC');
  const trim = createTrafficTrim(db, limits);

  const write = ({ entries, chunks }: GatheredTraffic): void => {
    for (const entry of entries) upsert.run(toBlob(entry.id), toBlob(JSON.stringify(entry)));
    let added = 0;
    for (const { id, which, chunk } of chunks) {
      if (insertBody.run(toBlob(id), which, chunk).changes > 0) added += chunk.byteLength;
    }
    trim.run(added);
  };

  const buffer = createTrafficBuffer(
    clock,
    (traffic) => {
      try {
        db.transaction(() => write(traffic), 'process');
      } catch (error) {
        trim.recount();
        throw error;
      }
    },
    trouble,
  );

  const toListed = ([position, entry]: Cell[]): Listed => ({
    position: Number(position),
    entry: JSON.parse(fromBlob(entry)) as TrafficEntry,
  });

  const read = (query: TrafficQuery): Listed[] => {
    const { limit = defaultPage, type, failed, search } = query;
    const isFiltered = type !== undefined || failed !== undefined || search !== undefined;
    const atOnce = isFiltered ? readAtOnce : limit;
    const forwards = query.after !== undefined;
    let after = query.after ?? 0;
    let before = query.before ?? Number.MAX_SAFE_INTEGER;
    const found: Listed[] = [];
    for (;;) {
      const rows = (forwards ? oldestFirst : newestFirst).all(after, before, atOnce).map(toListed);
      found.push(...rows.filter(({ entry }) => matchesEntry(entry, query)));
      const last = rows.at(-1);
      if (rows.length < atOnce || found.length >= limit || !last) break;
      if (forwards) after = last.position;
      else before = last.position;
    }
    const some = found.slice(0, limit);
    return forwards ? some : some.reverse();
  };

  return {
    record: buffer.record,
    appendBody: buffer.appendBody,
    get(id) {
      buffer.tryFlush();
      const row = select.first(toBlob(id));
      return row && (JSON.parse(fromBlob(row[0])) as TrafficEntry);
    },
    body(id, which) {
      buffer.tryFlush();
      const pieces = selectBody
        .all(toBlob(id), which)
        .flatMap(([chunk]) => (chunk instanceof Uint8Array ? [chunk] : []));
      return pieces.length === 0 ? undefined : joinBytes(pieces);
    },
    list(query = {}) {
      buffer.tryFlush();
      return read(query);
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}
