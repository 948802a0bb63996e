import { api } from '../api/fetch-api.js';
import { createPagedList, pageSize } from '../api/paged-list.js';
import type { CallLine } from '../../contract/routes/calls.js';
import { onLive } from './live-stream.js';

/** Drawing the overview reads all calls, so it happens at most this often. */
const drawEveryMs = 250;

/** The newest calls, independent of the filter of the list of calls. */
export const recentCalls = createPagedList<CallLine, undefined>({
  filter: undefined,
  load: (_, oldest) => api('GET /calls', { before: oldest?.position, limit: pageSize }),
  matches: () => true,
  timeOf: ({ time }) => time,
  schedule: (draw) => void setTimeout(draw, drawEveryMs),
});

/** While the overview is open. */
export function followRecentCalls(): () => void {
  recentCalls.reload();
  return onLive((event) => {
    if (event.type === 'call-started' || event.type === 'call-finished') recentCalls.put(event.call);
    else if (event.type === 'reset') recentCalls.reload();
  });
}
