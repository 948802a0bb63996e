import { api } from '../api/fetch-api.js';
import { createPagedList } from '../api/paged-list.js';
import type { CallLine } from '../../contract/routes/calls.js';
import { onLive } from './live-stream.js';

/** If many calls arrive per second, they are rendered together. */
const drawEveryMs = 250;
const latest = 20;

/** The newest calls, regardless of the filter in the list of calls. */
export const recentCalls = createPagedList<CallLine, undefined>({
  filter: undefined,
  load: () => api('GET /calls', { limit: latest }),
  matches: () => true,
  timeOf: ({ time }) => time,
  schedule: (draw) => void setTimeout(draw, drawEveryMs),
});

/** Keeps the calls up to date while the overview is open. */
export function followRecentCalls(): () => void {
  recentCalls.reload();
  return onLive((event) => {
    if (event.type === 'call-started' || event.type === 'call-finished') recentCalls.put(event.call);
    else if (event.type === 'call-changed') void putAgain(event.call);
    else if (event.type === 'reset') recentCalls.reload();
  });
}

/** Work after the response can also fail and so change the severity of the call. */
async function putAgain(call: string): Promise<void> {
  if (!recentCalls.view.get().lines.some(({ id }) => id === call)) return;
  try {
    for (const line of await api('GET /calls', { ids: call })) recentCalls.put(line);
  } catch {
    // The page already shows that the platform is not responding.
  }
}
