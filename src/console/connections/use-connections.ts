import type { Connection } from '../../contract/routes/connections.js';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { api } from '../api/fetch-api.js';
import { useResource } from '../live/use-resource.js';
import { targetKey } from '../live/where-installed.js';

export function useConnections(target: InstalledTarget): Connection[] {
  const { data = [] } = useResource(
    `connections ${targetKey(target)}`,
    () => api('GET /connections', { ...target }),
    // Reloads after any call that sent a request, because it may have refreshed the token.
    (event) =>
      (event.type === 'call-finished' && (event.call.type === 'fetch' || event.call.outbound > 0)) ||
      (event.type === 'outbound' && event.late) ||
      event.type === 'state-loaded',
  );
  return data;
}
