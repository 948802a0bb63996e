import type { Clock } from '../../base/clock.js';
import { joinBytes } from '../../base/join-bytes.js';
import type { StoreLimits } from '../store-limits.js';
import { fromBlob, toBlob, type Cell, type Sqlite } from '../sqlite/sqlite.js';
import { createTrafficBuffer } from './call-write-buffer.js';
import { createTrafficEnvironments } from './call-environments.js';
import { defaultPage, matchesEntry } from './call-filter.js';
import { createTrafficRows } from './call-rows.js';
import type { TrafficEntry, TrafficLog, TrafficQuery } from './call-log.js';

type Listed = { position: number; entry: TrafficEntry };
/** As it lies in its row: the environment is somewhere else. */
type Bare = Listed & { environmentId: Cell };

const toBare = ([position, json, environmentId = null]: Cell[]): Bare => ({
  position: Number(position),
  entry: JSON.parse(fromBlob(json)) as TrafficEntry,
  environmentId,
});

const readAtOnce = 500;

export function createSqliteTraffic(
  db: Sqlite,
  clock: Clock,
  limits: StoreLimits,
  trouble?: (error: unknown) => void,
): TrafficLog & { close(): void } {
  const select = db.prepare('SELECT position, entry, environment FROM traffic WHERE id = ?');
  const selectShort = {
    request: db.prepare('SELECT request_body FROM traffic WHERE id = ?'),
    response: db.prepare('SELECT response_body FROM traffic WHERE id = ?'),
  };
  const selectBody = db.prepare(
    'SELECT chunk FROM traffic_body WHERE id = ? AND which = ? ORDER BY position',
  );
  const environments = createTrafficEnvironments(db);
  const findPage = createPageReader(db);
  const rows = createTrafficRows(db, limits, environments);

  const buffer = createTrafficBuffer(
    clock,
    (traffic) => {
      try {
        db.transaction(() => rows.write(traffic), 'process');
      } catch (error) {
        rows.undone();
        throw error;
      }
    },
    trouble,
  );

  const withEnvironment = ({ position, entry, environmentId }: Bare): Listed => {
    const environment = environments.read(environmentId);
    return { position, entry: environment ? { ...entry, environment } : entry };
  };

  return {
    record: buffer.record,
    appendBody: buffer.appendBody,
    get(id) {
      buffer.tryFlush();
      const row = select.first(toBlob(id));
      return row && withEnvironment(toBare(row)).entry;
    },
    body(id, which) {
      buffer.tryFlush();
      const key = toBlob(id);
      const inRow = which === 'request' || which === 'response' ? selectShort[which].first(key) : undefined;
      const pieces = [inRow ?? [], ...selectBody.all(key, which)]
        .flat()
        .filter((piece) => piece instanceof Uint8Array);
      return pieces.length === 0 ? undefined : joinBytes(pieces);
    },
    list(query = {}) {
      buffer.tryFlush();
      return findPage(query).map(withEnvironment);
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}

/** Finds the calls that match, a few rows at a time. Oldest first. */
function createPageReader(db: Sqlite): (query: TrafficQuery) => Bare[] {
  const page = (order: 'ASC' | 'DESC') =>
    db.prepare(
      `SELECT position, entry, environment FROM traffic WHERE position > ? AND position < ?
       ORDER BY position ${order} LIMIT ?`,
    );
  const oldestFirst = page('ASC');
  const newestFirst = page('DESC');

  return (query) => {
    const { limit = defaultPage, type, failed, search } = query;
    const isFiltered = type !== undefined || failed !== undefined || search !== undefined;
    const atOnce = isFiltered ? readAtOnce : limit;
    const forwards = query.after !== undefined;
    let after = query.after ?? 0;
    let before = query.before ?? Number.MAX_SAFE_INTEGER;
    const found: Bare[] = [];
    for (;;) {
      const rows = (forwards ? oldestFirst : newestFirst).all(after, before, atOnce).map(toBare);
      found.push(...rows.filter(({ entry }) => matchesEntry(entry, query)));
      const last = rows.at(-1);
      if (rows.length < atOnce || found.length >= limit || !last) break;
      if (forwards) after = last.position;
      else before = last.position;
    }
    const some = found.slice(0, limit);
    return forwards ? some : some.reverse();
  };
}
