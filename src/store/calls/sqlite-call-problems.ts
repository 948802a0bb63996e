import type { Cell, Sqlite } from '../sqlite/sqlite.js';
import type { CallLog, CallRecord, ProblemGroup } from './call-log.js';
import { toBareCall, type BareCall } from './sqlite-call-search.js';

/**
 * Counts and groups calls using only the index `traffic_of_problem`, so the number of calls does not
 * matter. Each row repeats the totals, because the limit may cut off groups.
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
    FROM grouped ORDER BY current > 0 DESC, severity = 'error' DESC, newest DESC LIMIT ?2
  )
  SELECT position, entry, environment, counted.severity, calls, current, first, last,
    current_errors, errors, current_warnings, warnings
  FROM counted JOIN traffic ON position = newest
  ORDER BY current > 0 DESC, counted.severity = 'error' DESC, newest DESC`;

export function createCallProblems(
  db: Sqlite,
  withEnvironment: (call: BareCall) => { entry: CallRecord },
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
      groups: rows.map((row) => ({ ...countsIn(row), newest: withEnvironment(toBareCall(row)).entry })),
    };
  };
}

function countsIn(row: Cell[]): Omit<ProblemGroup, 'newest'> {
  const [calls = 0, current = 0, first = 0, last = 0] = row.slice(4, 8).map(Number);
  return { severity: row[3] === 'error' ? 'error' : 'warning', calls, current, first, last };
}
