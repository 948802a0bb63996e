import type { Clock } from '../../base/clock.js';
import { parseJson } from '../../base/parse-json.js';
import type { DeliveryStore } from '../../webhooks/model/delivery-store.js';
import { redefine, type Endpoint } from '../../webhooks/model/endpoint.js';
import type { GroupCommit } from '../sqlite/group-commit.js';
import { StoreError } from '../../base/store-error.js';
import { fromBlob, toBlob, type Cell, type Sqlite } from '../sqlite/sqlite.js';
import { storedUrl } from './delivery-rows.js';

type Endpoints = Pick<
  DeliveryStore,
  'endpoints' | 'putEndpoint' | 'changeEndpoint' | 'removeEndpoint' | 'pausedInstallations' | 'setPaused'
> & {
  ids(): string[];
  /** Returns one error for each endpoint that `endpoints` skips. */
  damaged(): StoreError[];
};

const page = 5000;

export function createSqliteEndpoints(
  db: Sqlite,
  commit: GroupCommit['commit'],
  { clock, file }: { clock: Pick<Clock, 'now'>; file: string },
): Endpoints {
  const all = db.prepare('SELECT id, value FROM webhook_endpoint WHERE NOT removed ORDER BY position');
  const one = db.prepare('SELECT value FROM webhook_endpoint WHERE id = ? AND NOT removed');
  const upsert = db.prepare(
    `INSERT INTO webhook_endpoint (id, value) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET value = excluded.value, removed = 0`,
  );
  // Removes the secrets. Keeps the URL, because it is shown for deliveries that were sent to the endpoint.
  const remove = db.prepare(
    `UPDATE webhook_endpoint SET removed = 1,
       value = CAST(json_object('url', ${storedUrl}) AS BLOB)
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

  const read = () => all.all().map(([id, value]) => ({ id: String(id), endpoint: readEndpoint(value) }));

  return {
    endpoints: async () => read().flatMap(({ endpoint }) => endpoint ?? []),
    ids: () => all.all().map(([id]) => String(id)),
    damaged: () =>
      read()
        .filter(({ endpoint }) => endpoint === undefined)
        .map(({ id }) => damagedEndpoint(id, file)),
    putEndpoint: (endpoint) =>
      commit(() => {
        const stored = readEndpoint(one.first(endpoint.id)?.[0]);
        put(stored ? redefine(stored, endpoint) : endpoint);
      }),
    changeEndpoint: (id, change) =>
      commit(() => {
        const row = one.first(id);
        if (!row) return undefined;
        const current = readEndpoint(row[0]);
        if (!current) throw damagedEndpoint(id, file);
        const changed = change(current);
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

/** Returns undefined if the row is corrupt, because it is not valid JSON or is missing a field that deliveries need. */
function readEndpoint(value: Cell | undefined): Endpoint | undefined {
  const endpoint = parseJson(fromBlob(value), undefined) as Partial<Endpoint> | null | undefined;
  const texts = [
    endpoint?.id,
    endpoint?.installationId,
    endpoint?.url,
    endpoint?.secret,
    endpoint?.target?.id,
  ];
  const isWhole = texts.every((text) => typeof text === 'string') && Array.isArray(endpoint?.events);
  return isWhole ? (endpoint as Endpoint) : undefined;
}

const damagedEndpoint = (id: string, file: string): StoreError =>
  new StoreError(
    'store/damaged-endpoint',
    `The webhook endpoint ${id} in ${file} is damaged, so nothing is sent to it. Add the endpoint again. Its pending deliveries are still in the file.`,
  );
