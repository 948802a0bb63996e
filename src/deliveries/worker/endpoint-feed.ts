import type { Endpoint } from '../../webhooks/model/endpoint.js';
import type { EndpointChange } from '../../webhooks/model/delivery-store.js';
import type { Row, Statement, WorkerSession } from '../connection/worker-session.js';
import type { Tables } from '../model/tables.js';

/** All endpoints as of one revision. */
export interface EndpointSnapshot {
  endpoints: readonly Endpoint[];
  revision: string;
}

/**
 * The status of an endpoint as seen by a worker. `closed` means that the endpoint is disabled or its installation is
 * paused.
 */
export type EndpointStatus = 'open' | 'closed' | 'unknown';

/** The changes, and the endpoints that may have been opened, closed or removed by them. */
export interface FeedNews {
  changes: EndpointChange[];
  touched(): string[];
}

export interface EndpointFeed {
  /** Reads new changes. If reading them or calling `use` fails, the next call reads all of them again. */
  read(use: (news: FeedNews) => void): Promise<void>;
  statusOf(endpointId: string): EndpointStatus;
}

const page = 5000;

/**
 * Tracks changes to endpoints by revision. Reports only changes after `known`, because the caller has already read
 * earlier ones.
 */
export function createEndpointFeed(
  session: WorkerSession,
  tables: Tables,
  readEndpoint: (value: unknown) => Endpoint,
  known?: EndpointSnapshot,
): EndpointFeed {
  const { readEndpoints, readInstallations } = statementsOf(tables);
  const endpoints = new Map<string, Endpoint>();
  const paused = new Set<string>();
  let seenEndpoints = known?.revision ?? '0';
  let seenInstallations = '0';

  for (const endpoint of known?.endpoints ?? []) endpoints.set(endpoint.id, endpoint);

  const readNewEndpoints = async (): Promise<Row[]> => {
    const found: Row[] = [];
    for (let full = true; full;) {
      const rows = await session.query(readEndpoints, [lastRevision(found) ?? seenEndpoints]);
      found.push(...rows);
      full = rows.length === page;
    }
    return found;
  };

  const noteInstallation = ([id, isPaused]: Row): EndpointChange => {
    const installationId = Buffer.from(id as Uint8Array).toString();
    if (isPaused === true) paused.add(installationId);
    else paused.delete(installationId);
    return { type: 'paused', installationId, paused: isPaused === true };
  };

  const noteEndpoint = ([id, value, removed]: Row): EndpointChange => {
    const endpointId = String(id);
    if (removed === true) {
      endpoints.delete(endpointId);
      return { type: 'removed', endpointId };
    }
    const endpoint = readEndpoint(value);
    endpoints.set(endpoint.id, endpoint);
    return { type: 'endpoint', endpoint };
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
    async read(use) {
      const installations = await session.query(readInstallations, [seenInstallations]);
      const rows = await readNewEndpoints();
      const changes = [...installations.map(noteInstallation), ...rows.map(noteEndpoint)];
      use({ changes, touched: () => touchedBy(changes) });
      seenInstallations = lastRevision(installations) ?? seenInstallations;
      seenEndpoints = lastRevision(rows) ?? seenEndpoints;
    },
    statusOf(endpointId) {
      const endpoint = endpoints.get(endpointId);
      if (!endpoint) return 'unknown';
      return endpoint.enabled && !paused.has(endpoint.installationId) ? 'open' : 'closed';
    },
  };
}

/** The revision is in the last column of each row. */
const lastRevision = (rows: Row[]): string | undefined => rows.at(-1)?.at(-1) as string | undefined;

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
