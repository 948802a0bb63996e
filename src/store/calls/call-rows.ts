import { joinBytes } from '../../base/join-bytes.js';
import type { StoreLimits } from '../model/store-limits.js';
import { toBlob, type Bindable, type Sqlite } from '../sqlite/sqlite.js';
import type { GatheredBodies, GatheredCalls } from './call-write-buffer.js';
import type { CallEnvironments } from './call-environments.js';
import { createCallTrim } from './drop-oldest-calls.js';
import { problemKey, severityOf } from './match-call.js';
import type { CallRecord } from './call-log.js';

/** More rows per statement would not make it faster. */
const rowsPerStatement = 16;
/** A body up to this size is stored in its call's row if it arrives together with the start of the call. */
const shortBody = 16 * 1024;
const chunkBytes = 256 * 1024;

export function createCallRows(db: Sqlite, limits: StoreLimits, environments: CallEnvironments) {
  const upsert = (rows: number) =>
    db.prepare(
      `INSERT INTO traffic
         (id, entry, environment, time, version, severity, problem, request_body, response_body)
       VALUES ${Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
       ON CONFLICT (id) DO UPDATE SET
         entry = excluded.entry, environment = excluded.environment,
         severity = excluded.severity, problem = excluded.problem`,
    );
  // Skips the chunk if the call has been deleted, because the rest of a body is useless without its beginning.
  const insertChunk = db.prepare(
    `INSERT INTO traffic_body (id, which, chunk)
     SELECT ?1, ?2, ?3 FROM traffic WHERE id = ?1 AND body_dropped = 0`,
  );
  const trim = createCallTrim(db, limits, environments.sweep);
  /**
   * The newest calls that already have rows. Chunks that arrive later must not be added to those rows, because they
   * would end up out of order.
   */
  const begun = new Set<string>();

  const toRow = (call: CallRecord, short: Short): Bindable[] => [
    toBlob(call.id),
    toBlob(JSON.stringify({ ...call, environment: undefined })),
    environments.keep(call.environment),
    call.time,
    call.version,
    severityOf(call),
    orNull(problemKey(call)),
    short.request,
    short.response,
  ];

  const writeRest = (id: string, bodies: GatheredBodies, short: Short): number => {
    let written = 0;
    for (const [which, pieces] of bodies) {
      if ((which === 'request' || which === 'response') && short[which]) continue;
      for (const chunk of cut(joinBytes(pieces))) {
        if (insertChunk.run(toBlob(id), which, chunk).changes > 0) written += chunk.byteLength;
      }
    }
    return written;
  };

  return {
    /** Must be called in a transaction. */
    write({ entries, bodies }: GatheredCalls) {
      const inRows = new Map<string, Short>();
      const rows = entries.map((call) => {
        const short = begun.has(call.id) ? none : shortOf(bodies.get(call.id));
        begun.add(call.id);
        inRows.set(call.id, short);
        return toRow(call, short);
      });
      for (let at = 0; at < rows.length; at += rowsPerStatement) {
        const some = rows.slice(at, at + rowsPerStatement);
        upsert(some.length).run(...some.flat());
      }
      let added = 0;
      for (const [id, body] of bodies) {
        const short = inRows.get(id) ?? none;
        added += lengthOf(short) + writeRest(id, body, short);
      }
      trim.run(added);
      for (const id of begun) {
        if (begun.size <= limits.entries) break;
        begun.delete(id);
      }
    },
    /** Must be called after a rollback. */
    rolledBack() {
      environments.rolledBack();
      trim.rolledBack();
    },
  };
}

const orNull = (text: string | undefined): Bindable => (text === undefined ? null : toBlob(text));

/** Bodies that are stored in their call's row. */
type Short = Record<'request' | 'response', Uint8Array | null>;

const none: Short = { request: null, response: null };

const shortOf = (bodies: GatheredBodies | undefined): Short => ({
  request: ifShort(bodies?.get('request')),
  response: ifShort(bodies?.get('response')),
});

function ifShort(pieces: Uint8Array[] = []): Uint8Array | null {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return length > 0 && length <= shortBody ? joinBytes(pieces) : null;
}

const lengthOf = ({ request, response }: Short): number =>
  (request?.byteLength ?? 0) + (response?.byteLength ?? 0);

function* cut(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}
