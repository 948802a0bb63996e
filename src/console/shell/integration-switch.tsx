import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { allIntegrations } from '../../protocol/integration.js';
import { api } from '../api/fetch-api.js';
import { keepKey } from '../api/session-key.js';
import { useResource } from '../live/use-resource.js';
import { imagesOf } from '../ui/state/image-url.js';
import type { View } from '../../protocol/console-views.js';
import { formatRoute } from './route.js';

/** The views that can show all integrations at once. */
export const joinedViews: readonly View[] = ['calls', 'webhooks', 'tasks'];

/** Chooses the integration that the console shows, if the session runs several. Each has its own key. */
export function IntegrationSwitch({
  platform: { integration },
  view,
}: {
  platform: PlatformResource;
  view: View;
}): JSX.Element | null {
  const { data = [] } = useResource(
    'integrations',
    () => api('GET /integrations'),
    ({ type }) => type === 'reloaded',
  );
  const several = data.length > 1;
  useEffect(() => imagesOf.set(several ? integration.name : undefined), [several, integration.name]);
  if (!several) return null;
  return (
    <select
      class="control integration-switch"
      aria-label="Integration"
      value={integration.name}
      onChange={({ currentTarget: { value } }) => {
        const chosen = data.find(({ name }) => name === value);
        if (!chosen) return;
        keepKey(chosen.key);
        const stays = value !== allIntegrations || joinedViews.includes(view);
        location.assign(formatRoute({ view: stays ? view : 'calls' }));
      }}
    >
      {data.map(({ name, title, running, reason }) => (
        <option key={name} value={name} disabled={!running} title={reason}>
          {running ? title : `${title} (not running)`}
        </option>
      ))}
    </select>
  );
}
