import { createHash } from 'node:crypto';

/** The names of the tables, quoted for SQL. */
export interface Tables {
  revisions: string;
  endpoints: string;
  installations: string;
  lanes: string;
  pending: string;
  done: string;
}

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function tablesOf(schema: string): Tables {
  const table = (name: string): string => `${quoteName(schema)}.${name}`;
  return {
    revisions: table('revisions'),
    endpoints: table('endpoints'),
    installations: table('installations'),
    lanes: table('lanes'),
    pending: table('pending'),
    done: table('done'),
  };
}

export const laneCount = 256;

/** Computed here, because Postgres may change its hash functions in an upgrade. */
export const laneOf = (endpointId: string): number =>
  createHash('sha256').update(endpointId).digest()[0] ?? 0;
