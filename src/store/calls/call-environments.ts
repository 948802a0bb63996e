import type { Environment } from '../../protocol/environment.js';
import { fromBlob, toBlob, type Cell, type Sqlite } from '../sqlite/sqlite.js';

/** Stores call environments separately, because most calls share the same one and it is longer than the rest of the call. */
export type CallEnvironments = ReturnType<typeof createCallEnvironments>;

const maxKnown = 256;

export function createCallEnvironments(db: Sqlite) {
  const insert = db.prepare('INSERT INTO traffic_environment (value) VALUES (?)');
  const select = db.prepare('SELECT value FROM traffic_environment WHERE id = ?');
  const removeUnused = db.prepare(
    `DELETE FROM traffic_environment
     WHERE NOT EXISTS (SELECT 1 FROM traffic WHERE environment = traffic_environment.id)`,
  );

  let byObject = new WeakMap<Environment, number>();
  let byJson = new Map<string, number>();
  let lastRead: { id: Cell; environment: Environment } | undefined;

  /** Must be called after a rollback, because rows written in the transaction no longer exist. */
  const reset = (): void => {
    byObject = new WeakMap();
    byJson = new Map();
    lastRead = undefined;
  };

  const idOf = (json: string): number => {
    const id = byJson.get(json) ?? insert.run(toBlob(json)).lastId;
    if (byJson.size >= maxKnown) byJson.clear();
    byJson.set(json, id);
    return id;
  };

  return {
    keep(environment: Environment | undefined) {
      if (!environment) return null;
      const id = byObject.get(environment) ?? idOf(JSON.stringify(environment));
      byObject.set(environment, id);
      return id;
    },
    read(id: Cell | undefined = null) {
      if (id === null) return undefined;
      if (lastRead?.id !== id) {
        const row = select.first(id);
        if (!row) return undefined;
        lastRead = { id, environment: JSON.parse(fromBlob(row[0])) as Environment };
      }
      return lastRead.environment;
    },
    sweep() {
      if (removeUnused.run().changes > 0) reset();
    },
    rolledBack: reset,
  };
}
