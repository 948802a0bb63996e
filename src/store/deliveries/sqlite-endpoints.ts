import type { Clock } from '../../base/clock.js';
import type { DeliveryStore } from '../../webhooks/queue/delivery-store.js';
import type { Endpoint } from '../../webhooks/endpoint.js';
import type { GroupCommit } from '../sqlite/group-commit.js';
import { fromBlob, toBlob, type Sqlite } from '../sqlite/sqlite.js';

type Endpoints = Pick<
  DeliveryStore,
  'endpoints' | 'putEndpoint' | 'changeEndpoint' | 'removeEndpoint' | 'pausedInstallations' | 'setPaused'
>;

const page = 5000;

export function createSqliteEndpoints(
  db: Sqlite,
  commit: GroupCommit['commit'],
  clock: Pick<Clock, 'now'>,
): Endpoints {
  const all = db.prepare('SELECT value FROM webhook_endpoint WHERE NOT removed ORDER BY position');
  const one = db.prepare('SELECT value FROM webhook_endpoint WHERE id = ? AND NOT removed');
  const upsert = db.prepare(
    `INSERT INTO webhook_endpoint (id, value) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET value = excluded.value, removed = 0`,
  );
  // Removes the secrets, and keeps the URL for the deliveries that were sent to it.
  const remove = db.prepare(
    `UPDATE webhook_endpoint SET removed = 1,
       value = CAST(json_object('url', json_extract(CAST(value AS TEXT), '$.url')) AS BLOB)
     WHERE id = ?`,
  );
  const giveUp = db.prepare(
    `UPDATE delivery SET state = 'failed', phase = 'done', due_at = NULL, finished_at = ?
     WHERE id IN (SELECT id FROM delivery WHERE endpoint = ? AND due_at IS NOT NULL LIMIT ${page})`,
  );
  const allPaused = db.prepare('SELECT id FROM paused_installation');
  const pause = db.prepare('INSERT INTO paused_installation (id) VALUES (?) ON CONFLICT DO NOTHING');
  const resume = db.prepare('DELETE FROM paused_installation WHERE id = ?');
  const put = (endpoint: Endpoint): void => void upsert.run(endpoint.id, toBlob(JSON.stringify(endpoint)));

  return {
    endpoints: async () => all.all().map(([value]) => JSON.parse(fromBlob(value)) as Endpoint),
    putEndpoint: (endpoint) => commit(() => put(endpoint)),
    changeEndpoint: (id, change) =>
      commit(() => {
        const row = one.first(id);
        if (!row) return undefined;
        const changed = change(JSON.parse(fromBlob(row[0])) as Endpoint);
        put(changed);
        return changed;
      }),
    async removeEndpoint(id) {
      for (let ended = page; ended === page;) {
        ended = await commit(() => giveUp.run(clock.now(), id).changes);
      }
      await commit(() => void remove.run(id));
    },
    pausedInstallations: async () => allPaused.all().map(([id]) => fromBlob(id)),
    setPaused: (installationId, paused) =>
      commit(() => void (paused ? pause : resume).run(toBlob(installationId))),
  };
}
