import { api } from './api.js';
import { onLive } from './live-stream.js';
import { createTrafficList } from './traffic-list.js';

/** One list for the whole console: it goes on while another view is open. */
export const traffic = createTrafficList(api.traffic, (draw) => void requestAnimationFrame(draw));

export function followTraffic(): void {
  traffic.reload();
  onLive((event) => {
    if (event.type === 'traffic-started' || event.type === 'traffic-finished') traffic.put(event.entry);
    else if (event.type === 'reset') traffic.reload();
  });
}
