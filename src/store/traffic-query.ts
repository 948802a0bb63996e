import type { TrafficEntry, TrafficQuery } from './traffic.js';

export const defaultPage = 100;

const typeOf = (entry: TrafficEntry): string => entry.event?.type ?? '';

/** The part of a query that is about the entry, not about its position. */
export function matchesEntry(entry: TrafficEntry, { type, failed, search }: TrafficQuery): boolean {
  if (type !== undefined && typeOf(entry) !== type) return false;
  if (failed !== undefined && (entry.outcome === 'failed') !== failed) return false;
  if (search === undefined) return true;
  const text = search.toLowerCase();
  return [typeOf(entry), entry.request?.url ?? '', ...entry.logs.map((line) => line.text)].some((candidate) =>
    candidate.toLowerCase().includes(text),
  );
}
