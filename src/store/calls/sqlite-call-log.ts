import type { Clock } from '../../base/clock.js';
import { joinBytes } from '../../base/join-bytes.js';
import type { StoreLimits } from '../model/store-limits.js';
import { toBlob, type Sqlite } from '../sqlite/sqlite.js';
import { createCallBuffer } from './call-write-buffer.js';
import { createCallEnvironments } from './call-environments.js';
import { createCallProblems } from './sqlite-call-problems.js';
import { createCallRows } from './call-rows.js';
import { createCallSearch, toBareCall, type BareCall } from './sqlite-call-search.js';
import type { CallRecord, CallLog } from './call-log.js';

type Listed = { position: number; entry: CallRecord };

export function createSqliteCallLog(
  db: Sqlite,
  clock: Clock,
  limits: StoreLimits,
  onError?: (error: unknown) => void,
): CallLog & { close(): void } {
  const select = db.prepare('SELECT position, entry, environment FROM traffic WHERE id = ?');
  const selectShort = {
    request: db.prepare('SELECT request_body FROM traffic WHERE id = ?'),
    response: db.prepare('SELECT response_body FROM traffic WHERE id = ?'),
  };
  const selectBody = db.prepare(
    'SELECT chunk FROM traffic_body WHERE id = ? AND which = ? ORDER BY position',
  );
  const body: CallLog['body'] = (id, which) => {
    const key = toBlob(id);
    const inRow = which === 'request' || which === 'response' ? selectShort[which].first(key) : undefined;
    const pieces = [inRow ?? [], ...selectBody.all(key, which)]
      .flat()
      .filter((piece) => piece instanceof Uint8Array);
    return pieces.length === 0 ? undefined : joinBytes(pieces);
  };
  const environments = createCallEnvironments(db);
  const calls = createCallSearch(db, body);
  const rows = createCallRows(db, limits, environments);

  const buffer = createCallBuffer(
    clock,
    (calls) => {
      try {
        db.transaction(() => rows.write(calls), 'process');
      } catch (error) {
        rows.rolledBack();
        throw error;
      }
    },
    onError,
  );

  const withEnvironment = ({ position, entry, environmentId }: BareCall): Listed => {
    const environment = environments.read(environmentId);
    return { position, entry: environment ? { ...entry, environment } : entry };
  };

  const problems = createCallProblems(db, withEnvironment);

  return {
    record: buffer.record,
    appendBody: buffer.appendBody,
    get(id) {
      buffer.tryFlush();
      const row = select.first(toBlob(id));
      return row && withEnvironment(toBareCall(row)).entry;
    },
    body(id, which) {
      buffer.tryFlush();
      return body(id, which);
    },
    list(query = {}) {
      buffer.tryFlush();
      return calls.find(query).map(withEnvironment);
    },
    count(filter = {}) {
      buffer.tryFlush();
      return calls.count(filter);
    },
    problems(current) {
      buffer.tryFlush();
      return problems(current);
    },
    flush: buffer.flush,
    close: buffer.close,
  };
}
