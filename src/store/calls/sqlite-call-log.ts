import type { Clock } from '../../base/clock.js';
import { joinBytes } from '../../base/join-bytes.js';
import type { StoreLimits } from '../model/store-limits.js';
import { toBlob, type Sqlite, type Cell } from '../sqlite/sqlite.js';
import { createCallBuffer } from './call-write-buffer.js';
import { createCallEnvironments } from './call-environments.js';
import { createCallRows } from './call-rows.js';
import { createCallSearch, toBareCall, type BareCall } from './sqlite-call-search.js';
import type { CallRecord, CallLog, ProblemGroup } from './call-log.js';

type Listed = { position: number; call: CallRecord };

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

  const withEnvironment = ({ position, call, environmentId }: BareCall): Listed => {
    const environment = environments.read(environmentId);
    return { position, call: environment ? { ...call, environment } : call };
  };

  const problems = createCallProblems(db, withEnvironment);

  return {
    record: buffer.record,
    appendBody: buffer.appendBody,
    get(id) {
      buffer.tryFlush();
      const row = select.first(toBlob(id));
      return row && withEnvironment(toBareCall(row)).call;
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

/**
 * Counts and groups calls using only the index `traffic_of_problem`, so the number of calls hardly affects how long
 * this takes. Each row repeats the totals, because the limit may cut off some groups.
 */
const groupedSql = `
  WITH grouped AS (
    SELECT severity, count(*) AS calls, total(version = ?1) AS current,
      min(time) AS first, max(time) AS last, max(position) AS newest
    FROM traffic INDEXED BY traffic_of_problem WHERE severity <> 'none' AND problem IS NOT NULL GROUP BY severity, problem
  ), counted AS (
    SELECT *,
      total(current) FILTER (WHERE severity = 'error') OVER () AS current_errors,
      total(calls) FILTER (WHERE severity = 'error') OVER () AS errors,
      total(current) FILTER (WHERE severity = 'warning') OVER () AS current_warnings,
      total(calls) FILTER (WHERE severity = 'warning') OVER () AS warnings
    FROM grouped ORDER BY current > 0 DESC, severity = 'error' DESC, current DESC, calls DESC, newest DESC LIMIT ?2
  )
  SELECT position, entry, environment, counted.severity, calls, current, first, last,
    current_errors, errors, current_warnings, warnings
  FROM counted JOIN traffic ON position = newest
  ORDER BY current > 0 DESC, counted.severity = 'error' DESC, current DESC, calls DESC, newest DESC`;

function createCallProblems(
  db: Sqlite,
  withEnvironment: (call: BareCall) => { call: CallRecord },
): CallLog['problems'] {
  const select = db.prepare(groupedSql);
  return ({ version, limit }) => {
    const rows = select.all(version, limit);
    const [currentErrors = 0, errors = 0, currentWarnings = 0, warnings = 0] = (rows[0] ?? [])
      .slice(8)
      .map(Number);
    return {
      errors: { current: currentErrors, all: errors },
      warnings: { current: currentWarnings, all: warnings },
      groups: rows.map((row) => ({ ...countsIn(row), newest: withEnvironment(toBareCall(row)).call })),
    };
  };
}

function countsIn(row: Cell[]): Omit<ProblemGroup, 'newest'> {
  const [calls = 0, current = 0, first = 0, last = 0] = row.slice(4, 8).map(Number);
  return { severity: row[3] === 'error' ? 'error' : 'warning', calls, current, first, last };
}
