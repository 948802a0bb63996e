import { fromBlob, toBlob, type Sqlite } from '../sqlite/sqlite.js';
import type { StateStore } from './state-store.js';

export function createSqliteState(db: Sqlite): StateStore {
  const select = db.prepare('SELECT value FROM state WHERE collection = ? AND id = ?');
  const selectAll = db.prepare('SELECT id, value FROM state WHERE collection = ? ORDER BY position');
  const upsert = db.prepare(
    `INSERT INTO state (collection, id, value) VALUES (?, ?, ?)
     ON CONFLICT (collection, id) DO UPDATE SET value = excluded.value`,
  );
  const remove = db.prepare('DELETE FROM state WHERE collection = ? AND id = ?');

  return {
    get<T>(collection: string, id: string): T | undefined {
      const row = select.first(toBlob(collection), toBlob(id));
      return row && (JSON.parse(fromBlob(row[0])) as T);
    },
    list: <T>(collection: string) =>
      selectAll
        .all(toBlob(collection))
        .map(([id, value]) => ({ id: fromBlob(id), value: JSON.parse(fromBlob(value)) as T })),
    put(collection, id, value) {
      upsert.run(toBlob(collection), toBlob(id), toBlob(JSON.stringify(value ?? null)));
    },
    delete(collection, id) {
      remove.run(toBlob(collection), toBlob(id));
    },
    transaction: db.transaction,
  };
}
