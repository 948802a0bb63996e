import { createHash } from 'node:crypto';

/** Names in the schema, quoted for SQL. */
export interface Tables {
  revisions: string;
  endpoints: string;
  installations: string;
  lanes: string;
  pending: string;
  done: string;
  failing: string;
  /** A view of the endpoints without their secrets, including removed endpoints. */
  endpointList: string;
  queue: string;
  /** The function that queues an event for all subscribed endpoints. */
  enqueueEvent: string;
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export function tablesOf(schema: string): Tables {
  const table = (name: string): string => `${quoteName(schema)}.${name}`;
  return {
    revisions: table('revisions'),
    endpoints: table('endpoints'),
    installations: table('installations'),
    lanes: table('lanes'),
    pending: table('pending'),
    done: table('done'),
    failing: table('failing'),
    endpointList: table('endpoint_list'),
    queue: table('queue'),
    enqueueEvent: table('enqueue_event'),
  };
}

export const laneCount = 256;

/** Computed here rather than in Postgres, whose hash functions may change with an upgrade. */
export const laneOf = (endpointId: string): number =>
  createHash('sha256').update(endpointId).digest()[0] ?? 0;
