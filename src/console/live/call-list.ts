import { api } from '../api/fetch-api.js';
import { onLive } from './live-stream.js';
import { createPagedList, pageSize, type PagedList } from '../api/paged-list.js';
import type { TrafficLine } from '../../contract/routes/calls.js';

export interface TrafficFilter {
  type: string;
  failed: boolean;
  search: string;
}

export const noFilter: TrafficFilter = { type: '', failed: false, search: '' };

export type TrafficList = PagedList<TrafficLine, TrafficFilter>;

/** One list for the whole console: it goes on while another view is open. */
export const traffic: TrafficList = createPagedList({
  filter: noFilter,
  load: ({ type, failed, search }, oldest) =>
    api('GET /traffic', {
      type: type || undefined,
      failed: failed || undefined,
      search: search || undefined,
      before: oldest?.position,
      limit: pageSize,
    }),
  matches: matchesTraffic,
  timeOf: ({ time }) => time,
  schedule: (draw) => void requestAnimationFrame(draw),
});

export function followTraffic(): void {
  traffic.reload();
  onLive((event) => {
    if (event.type === 'traffic-started' || event.type === 'traffic-finished') traffic.put(event.entry);
    else if (event.type === 'reset') traffic.reload();
  });
}

export function matchesTraffic(line: TrafficLine, { type, failed, search }: TrafficFilter): boolean {
  if (type !== '' && line.type !== type) return false;
  if (failed && line.outcome !== 'failed') return false;
  const wanted = search.toLowerCase();
  return [line.type, line.subject, line.url, line.error].some(
    (text) => text?.toLowerCase().includes(wanted) ?? false,
  );
}
