import { api } from './requests.js';
import type { TrafficEntry } from './call-types.js';
import { useResource, type ResourceView } from './use-resource.js';

/** All of a call, kept up to date while it runs and logs. */
export const useCall = (id: string): ResourceView<TrafficEntry> =>
  useResource(
    `call ${id}`,
    () => api.call(id),
    (event) =>
      ((event.type === 'log' || event.type === 'outbound') && event.call === id) ||
      (event.type === 'traffic-finished' && event.entry.id === id),
  );
