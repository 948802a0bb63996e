import type { Sqlite } from './sqlite.js';
import { StoreError } from '../../base/store-error.js';

/**
 * Each migration runs once, in order. `user_version` is the number of migrations that have run. Never edit a released migration.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE state (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    collection BLOB NOT NULL,
    id BLOB NOT NULL,
    value BLOB NOT NULL,
    UNIQUE (collection, id)
  );

  CREATE TABLE traffic (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL UNIQUE,
    entry BLOB NOT NULL,
    body_dropped INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE traffic_body (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id BLOB NOT NULL,
    which TEXT NOT NULL,
    chunk BLOB NOT NULL
  );
  CREATE INDEX traffic_body_of ON traffic_body (id, which, position);

  CREATE TABLE webhook_endpoint (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    value BLOB NOT NULL
  );
  CREATE TABLE paused_installation (id BLOB PRIMARY KEY) WITHOUT ROWID;

  CREATE TABLE delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    endpoint TEXT NOT NULL,
    installation BLOB NOT NULL,
    event_id BLOB NOT NULL,
    event_type BLOB NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending',
    phase TEXT NOT NULL DEFAULT 'waiting',
    created_at REAL NOT NULL,
    due_at REAL,
    sent_at REAL,
    finished_at REAL,
    attempts INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    body_bytes INTEGER NOT NULL,
    resent_from INTEGER
  );
  CREATE INDEX delivery_due ON delivery (endpoint, crashes > 0, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX delivery_held ON delivery (id) WHERE phase IN ('preparing', 'sending');
  CREATE INDEX delivery_finished ON delivery (finished_at) WHERE finished_at IS NOT NULL;
  CREATE INDEX delivery_failed ON delivery (id) WHERE state IN ('failed', 'exhausted', 'poisoned');
  CREATE INDEX delivery_of_endpoint ON delivery (endpoint, id);
  CREATE TABLE delivery_body (delivery INTEGER PRIMARY KEY, body BLOB NOT NULL);
  CREATE TABLE delivery_attempt (
    delivery INTEGER NOT NULL,
    number INTEGER NOT NULL,
    started_at REAL NOT NULL,
    duration_ms REAL NOT NULL,
    status INTEGER,
    error TEXT,
    detail BLOB,
    answer BLOB,
    PRIMARY KEY (delivery, number)
  ) WITHOUT ROWID;
  `,
  // Entries with the same environment share one copy of it. A short body is stored in the row of its entry.
  `
  CREATE TABLE traffic_environment (id INTEGER PRIMARY KEY AUTOINCREMENT, value BLOB NOT NULL);
  ALTER TABLE traffic ADD COLUMN environment INTEGER;
  ALTER TABLE traffic ADD COLUMN request_body BLOB;
  ALTER TABLE traffic ADD COLUMN response_body BLOB;

  INSERT INTO traffic_environment (value)
    SELECT DISTINCT CAST(json_extract(CAST(entry AS TEXT), '$.environment') AS BLOB) FROM traffic
    WHERE json_type(CAST(entry AS TEXT), '$.environment') = 'object';
  CREATE INDEX traffic_environment_value ON traffic_environment (value);
  UPDATE traffic SET
    environment = (
      SELECT id FROM traffic_environment
      WHERE value = CAST(json_extract(CAST(entry AS TEXT), '$.environment') AS BLOB)
    ),
    entry = CAST(json_remove(CAST(entry AS TEXT), '$.environment') AS BLOB);
  DROP INDEX traffic_environment_value;
  CREATE INDEX traffic_of_environment ON traffic (environment);
  `,
  // Adds the URL and the headers of each request. When an endpoint is removed, its deliveries keep its URL.
  `
  ALTER TABLE delivery ADD COLUMN url BLOB;
  ALTER TABLE delivery_attempt ADD COLUMN request BLOB;
  ALTER TABLE webhook_endpoint ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
  `,
  // Renames `place` to `target` in endpoints and queued tasks, and in state that was saved earlier.
  `
  UPDATE webhook_endpoint SET value = CAST(
      json_remove(
        json_set(CAST(value AS TEXT), '$.target', json_extract(CAST(value AS TEXT), '$.place')),
        '$.place'
      ) AS BLOB)
    WHERE json_type(CAST(value AS TEXT), '$.place') = 'object';
  UPDATE state SET value = CAST(
      json_remove(
        json_set(CAST(value AS TEXT), '$.target', json_extract(CAST(value AS TEXT), '$.place')),
        '$.place'
      ) AS BLOB)
    WHERE collection = CAST('tasks' AS BLOB) AND json_type(CAST(value AS TEXT), '$.place') = 'object';
  UPDATE state SET value = CAST(
      json_set(CAST(value AS TEXT), '$.collections.tasks', (
        SELECT json_group_array(
          json_remove(
            json_set(task.value, '$.value.target', json_extract(task.value, '$.value.place')),
            '$.value.place'
          )
        )
        FROM json_each(CAST(state.value AS TEXT), '$.collections.tasks') AS task
      )) AS BLOB)
    WHERE collection = CAST('snapshots' AS BLOB)
      AND json_array_length(CAST(value AS TEXT), '$.collections.tasks') > 0;
  `,
  // Makes it possible to find calls with a problem without reading all calls.
  `
  ALTER TABLE traffic ADD COLUMN severity TEXT NOT NULL DEFAULT 'none';
  UPDATE traffic SET severity = 'error' WHERE json_extract(CAST(entry AS TEXT), '$.outcome') = 'failed';
  CREATE INDEX traffic_of_severity ON traffic (severity, position) WHERE severity <> 'none';
  `,
  // Makes it possible to find the delivery of an event. The index is not unique, because earlier versions kept a separate
  // delivery each time an event was repeated.
  `
  CREATE INDEX delivery_of_event ON delivery (endpoint, event_id) WHERE resent_from IS NULL;
  `,
  // Makes it possible to count and group the errors and warnings in all calls without reading the calls themselves.
  `
  ALTER TABLE traffic ADD COLUMN time REAL NOT NULL DEFAULT 0;
  ALTER TABLE traffic ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE traffic ADD COLUMN problem BLOB;
  UPDATE traffic SET
    time = coalesce(json_extract(CAST(entry AS TEXT), '$.time'), 0),
    version = coalesce(json_extract(CAST(entry AS TEXT), '$.version'), 0),
    problem = CASE WHEN severity <> 'none' THEN CAST(
      coalesce(
        json_extract(CAST(entry AS TEXT), '$.verdict.reason'),
        json_extract(CAST(entry AS TEXT), '$.error'),
        json_extract(CAST(entry AS TEXT), '$.logs[#-1].text'),
        ''
      ) || char(10) || coalesce(
        json_extract(CAST(entry AS TEXT), '$.verdict.at.file') || ':' ||
          json_extract(CAST(entry AS TEXT), '$.verdict.at.line'),
        ''
      ) AS BLOB) END;
  CREATE INDEX traffic_of_problem ON traffic (severity, problem, version, time) WHERE severity <> 'none';
  `,
];

export function migrate(db: Sqlite, file: string): void {
  const version = Number(db.prepare('PRAGMA user_version').first()?.[0] ?? 0);
  if (version > migrations.length) {
    throw new StoreError(
      'store/newer',
      `The state file ${file} was written by a newer version of the platform (format ${version}; this version supports up to ${migrations.length}).`,
      { hint: 'Update integration-platform, or run `platform dev --fresh` to start over.' },
    );
  }
  if (version === migrations.length) return;
  db.transaction(() => {
    for (const sql of migrations.slice(version)) db.exec(sql);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
