import { fromBlob, toBlob, type Cell, type Sqlite } from '../sqlite/sqlite.js';
import { defaultPage, inBodies, isFiltered, matchesFields, mentions } from './match-call.js';
import type { CallCriteria, CallRecord, CallLog, CallQuery } from './call-log.js';

/** A call as stored in its row. Its environment is stored in another table. */
export interface BareCall {
  position: number;
  call: CallRecord;
  environmentId: Cell;
}

export const toBareCall = ([position, json, environmentId = null]: Cell[]): BareCall => ({
  position: Number(position),
  call: JSON.parse(fromBlob(json)) as CallRecord,
  environmentId,
});

const columns = 'position, entry, environment';
const readPageSize = 500;

/**
 * Searches calls, reading a few rows at a time. SQLite skips most of the rows that cannot match, and the rest are
 * checked here.
 */
export function createCallSearch(db: Sqlite, readBody: CallLog['body']) {
  const select = db.prepare(`SELECT ${columns} FROM traffic WHERE id = ?`);
  const countAll = db.prepare('SELECT count(*) FROM traffic');

  const matching = (rows: Cell[][], filter: CallCriteria): BareCall[] => {
    const { search } = filter;
    const exact = search === undefined || likePattern(search).exact;
    return rows.flatMap((row) => {
      const call = toBareCall(row);
      if (!matchesFields(call.call, filter)) return [];
      const found =
        search === undefined ||
        mentions(call.call, search) ||
        (row[3] === 2 && exact) ||
        (row[3] !== 0 && inBodies(call.call, search, readBody));
      return found ? [call] : [];
    });
  };

  function* pages(query: CallQuery, pageSize: number): Generator<Cell[][]> {
    const forwards = query.after !== undefined;
    const { sql, values } = rowConditions(query);
    const inBody = query.search === undefined ? '0' : inBodySql;
    const page = db.prepare(
      `SELECT ${columns}, ${inBody} AS in_body FROM traffic
       WHERE position > ? AND position < ?${sql.map((one) => ` AND ${one}`).join('')}
       ORDER BY position ${forwards ? 'ASC' : 'DESC'} LIMIT ?`,
    );
    const patterns =
      query.search === undefined ? [] : Array<string>(3).fill(likePattern(query.search).pattern);
    let after = query.after ?? 0;
    let before = query.before ?? Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = page.all(...patterns, after, before, ...values, pageSize);
      yield rows;
      const end = rows.at(-1);
      if (rows.length < pageSize || !end) return;
      if (forwards) after = Number(end[0]);
      else before = Number(end[0]);
    }
  }

  const byId = (ids: readonly string[], filter: CallCriteria): BareCall[] =>
    ids.flatMap((id) => {
      const row = select.first(toBlob(id));
      return row ? matching([[...row, 1]], filter) : [];
    });

  /** Parsing takes most of the time, so a call is not parsed if SQLite has already found the text in one of its fields. */
  const countSearched = (search: string): number => {
    const page = db.prepare(countedSql);
    const { pattern } = likePattern(search);
    let count = 0;
    for (let after = 0; ;) {
      const rows = page.all(pattern, after, readPageSize);
      const unsure = rows.filter((row) => row[3] !== inField);
      count += rows.length - unsure.length + matching(unsure, { search }).length;
      const last = rows.at(-1);
      if (rows.length < readPageSize || !last) return count;
      after = Number(last[0]);
    }
  };

  return {
    /**
     * Returns calls, oldest first. With `after`, returns the page that follows that position, and otherwise the last
     * page before the position `before`.
     */
    find(query: CallQuery) {
      const { ids, limit = defaultPage } = query;
      if (ids) return byId(ids, query).toSorted((a, b) => a.position - b.position);
      const found: BareCall[] = [];
      for (const rows of pages(query, isFiltered(query) ? readPageSize : limit)) {
        found.push(...matching(rows, query));
        if (found.length >= limit) break;
      }
      const kept = found.slice(0, limit);
      return query.after === undefined ? kept.reverse() : kept;
    },
    count(filter: CallCriteria) {
      if (!isFiltered(filter)) return Number(countAll.first()?.[0] ?? 0);
      if (filter.ids) return byId(filter.ids, filter).length;
      const { search } = filter;
      if (search !== undefined && Object.keys(filter).length === 1 && likePattern(search).exact)
        return countSearched(search);
      let count = 0;
      for (const rows of pages(filter, readPageSize)) count += matching(rows, filter).length;
      return count;
    },
  };
}

/** 2: the text was found in the request or the response. 1: it may be in a long body or an outbound request. */
const inBodySql = `CASE
  WHEN request_body LIKE ? ESCAPE '\\' OR response_body LIKE ? ESCAPE '\\' THEN 2
  -- Text across the border of two chunks is not found.
  WHEN EXISTS (SELECT 1 FROM traffic_body WHERE traffic_body.id = traffic.id AND chunk LIKE ? ESCAPE '\\') THEN 1
  ELSE 0 END`;

/** SQL conditions that are true for every matching row and few others. Reading a row costs more than skipping it. */
function rowConditions(filter: CallCriteria): { sql: string[]; values: (string | number)[] } {
  const sql: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...some: (string | number)[]): void => {
    sql.push(condition);
    values.push(...some);
  };
  const { type, component, severity, near, source, status, slowerThanMs, since, until, search } = filter;
  if (severity) add(`severity IN (${severity.map(() => '?').join(', ')})`, ...severity);
  if (filter.version !== undefined) add('version = ?', filter.version);
  if (near !== undefined) add(`${field('near')} IS ${near ? 'NOT ' : ''}NULL`);
  if (source !== undefined) add(`${field('source')} = ?`, source);
  // Exclusions are checked after the call has been parsed.
  if (type !== undefined && !type.startsWith('-')) add(`coalesce(${field('event.type')}, ?) = ?`, type, type);
  if (component !== undefined && !component.startsWith('-'))
    add(`${field('event.componentId')} = ?`, component);
  if (slowerThanMs !== undefined) add(`${field('durationMs')} > ?`, slowerThanMs);
  if (since !== undefined) add(`${field('time')} >= ?`, since);
  if (until !== undefined) add(`${field('time')} < ?`, until);
  if (status) {
    const ranges = status.map(() => `${field('response.status')} BETWEEN ? AND ?`);
    add(`(${ranges.join(' OR ')})`, ...status.flat());
  }
  for (const text of [
    filter.method,
    filter.reason,
    filter.path,
    filter.host,
    filter.integration,
    filter.installation,
    filter.site,
    filter.space,
  ])
    if (text !== undefined) add(`entry LIKE ? ESCAPE '\\'`, likePattern(text).pattern);
  if (search !== undefined) add(`(entry LIKE ? ESCAPE '\\' OR in_body)`, likePattern(search).pattern);
  return { sql, values };
}

/** The fields that may contain the text, most likely ones first. */
const namedFields = ['request.url', 'event.type', 'id', 'event.eventId', 'request.method', 'error'];

const field = (path: string): string => `json_extract(CAST(entry AS TEXT), '$.${path}')`;

/**
 * A LIKE pattern. LIKE ignores case for ASCII letters only. Non-ASCII characters and characters that JSON escapes
 * match anything in the pattern, so it may match too many rows.
 */
function likePattern(search: string): { pattern: string; exact: boolean } {
  const pattern = search.replaceAll(/[%_]|[^\x20-\x7e]|["\\]/g, (character) =>
    character === '%' || character === '_' ? `\\${character}` : '%',
  );
  return { pattern: `%${pattern}%`, exact: !/[^\x20-\x7e]|["\\]/.test(search) };
}

/**
 * The text is in one of these fields. LIKE finds fewer matches than a Unicode-aware comparison, so a match here is
 * certain.
 */
const inField = 3;

const countedSql = `
  SELECT position, CASE found WHEN ${inField} THEN NULL ELSE entry END, environment, found FROM (
    SELECT position, entry, environment, CASE
      WHEN entry LIKE ?1 ESCAPE '\\'
        AND (${namedFields.map((path) => `${field(path)} LIKE ?1 ESCAPE '\\'`).join(' OR ')}) THEN ${inField}
      ELSE max(${inBodySql.replaceAll('?', '?1')}, entry LIKE ?1 ESCAPE '\\') END AS found
    FROM traffic WHERE position > ?2
  ) WHERE found > 0 ORDER BY position LIMIT ?3`;
