import { trafficType, type TrafficEntry, type TrafficQuery } from './call-log.js';

export const defaultPage = 100;

type Searched = Pick<TrafficEntry, 'source' | 'outcome' | 'logs'> &
  Partial<Pick<TrafficEntry, 'event' | 'request'>>;

/** The part of a query that is about the entry, not about its position. */
export function matchesEntry(entry: Searched, { type, failed, search }: TrafficQuery): boolean {
  if (type !== undefined && trafficType(entry) !== type) return false;
  if (failed !== undefined && (entry.outcome === 'failed') !== failed) return false;
  if (search === undefined) return true;
  const text = search.toLowerCase();
  return [trafficType(entry), entry.request?.url ?? '', ...entry.logs.map((line) => line.text)].some(
    (candidate) => candidate.toLowerCase().includes(text),
  );
}
