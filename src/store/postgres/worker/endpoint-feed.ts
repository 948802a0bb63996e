import type { Endpoint } from '../../../webhooks/endpoint.js';
import type { EndpointChange } from '../../../webhooks/queue/delivery-store.js';
import type { Statement, WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../tables.js';

/** What a worker knows about an endpoint. `closed`: it is disabled, or its installation is paused. */
export type EndpointStatus = 'open' | 'closed' | 'unknown';

export interface EndpointFeed {
  /**
   * Reads new changes. Resolves to them, and to the endpoints that they may have opened, closed or removed.
   */
  read(): Promise<{ changes: EndpointChange[]; touched: string[] }>;
  statusOf(endpointId: string): EndpointStatus;
}

const page = 1000;

/** Follows changes of endpoints by their revision. */
export function createEndpointFeed(session: WorkerSession, tables: Tables): EndpointFeed {
  const { readEndpoints, readInstallations } = statementsOf(tables);
  const endpoints = new Map<string, { installationId: string; enabled: boolean }>();
  const paused = new Set<string>();
  let seenEndpoints = '0';
  let seenInstallations = '0';

  const followEndpoints = async (): Promise<EndpointChange[]> => {
    const changes: EndpointChange[] = [];
    for (let rows = [[]] as unknown[][], full = true; full; full = rows.length === page) {
      rows = await session.query(readEndpoints, [seenEndpoints]);
      for (const [id, value, removed, revision] of rows) {
        seenEndpoints = String(revision);
        const endpointId = String(id);
        if (removed === true) {
          endpoints.delete(endpointId);
          changes.push({ type: 'removed', endpointId });
          continue;
        }
        const endpoint = value as Endpoint;
        endpoints.set(endpointId, { installationId: endpoint.installationId, enabled: endpoint.enabled });
        changes.push({ type: 'endpoint', endpoint });
      }
    }
    return changes;
  };

  const followInstallations = async (): Promise<EndpointChange[]> => {
    const rows = await session.query(readInstallations, [seenInstallations]);
    return rows.map(([id, isPaused, revision]) => {
      seenInstallations = String(revision);
      const installationId = Buffer.from(id as Uint8Array).toString();
      if (isPaused === true) paused.add(installationId);
      else paused.delete(installationId);
      return { type: 'paused', installationId, paused: isPaused === true };
    });
  };

  const touchedBy = (changes: EndpointChange[]): string[] => {
    const installations = new Set<string>();
    const touched = new Set<string>();
    for (const change of changes) {
      if (change.type === 'paused') installations.add(change.installationId);
      else touched.add(change.type === 'removed' ? change.endpointId : change.endpoint.id);
    }
    if (installations.size > 0) {
      for (const [id, { installationId }] of endpoints) {
        if (installations.has(installationId)) touched.add(id);
      }
    }
    return [...touched];
  };

  return {
    async read() {
      const changes = [...(await followInstallations()), ...(await followEndpoints())];
      return { changes, touched: touchedBy(changes) };
    },
    statusOf(endpointId) {
      const endpoint = endpoints.get(endpointId);
      if (!endpoint) return 'unknown';
      return endpoint.enabled && !paused.has(endpoint.installationId) ? 'open' : 'closed';
    },
  };
}

const statementsOf = ({
  endpoints,
  installations,
}: Tables): Record<'readEndpoints' | 'readInstallations', Statement> => ({
  readEndpoints: {
    name: 'changed endpoints',
    text: `select id, value, removed_at is not null, revision from ${endpoints}
           where revision > $1::bigint order by revision limit ${page}`,
  },
  readInstallations: {
    name: 'changed installations',
    text: `select id, paused, revision from ${installations} where revision > $1::bigint order by revision`,
  },
});
