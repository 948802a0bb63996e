import { api } from '../api/fetch-api.js';
import { createPagedList, pageSize } from '../api/paged-list.js';
import type { TrafficLine } from '../../contract/routes/calls.js';
import { onLive } from './live-stream.js';

/** A draw of the overview goes through all of them. */
const drawEveryMs = 250;

/** The newest calls, whatever the list of calls is filtered by. */
export const recentCalls = createPagedList<TrafficLine, undefined>({
  filter: undefined,
  load: (_, oldest) => api('GET /traffic', { before: oldest?.position, limit: pageSize }),
  matches: () => true,
  timeOf: ({ time }) => time,
  schedule: (draw) => void setTimeout(draw, drawEveryMs),
});

/** While the overview is open. */
export function followRecentCalls(): () => void {
  recentCalls.reload();
  return onLive((event) => {
    if (event.type === 'traffic-started' || event.type === 'traffic-finished') recentCalls.put(event.entry);
    else if (event.type === 'reset') recentCalls.reload();
  });
}
