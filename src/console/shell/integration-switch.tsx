import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PlatformResource, SessionIntegration } from '../../contract/routes/overview.js';
import { allIntegrations } from '../../protocol/integration.js';
import { api } from '../api/fetch-api.js';
import { keepKey } from '../api/session-key.js';
import { useResource } from '../live/use-resource.js';
import { imagesOf } from '../ui/state/image-url.js';
import type { View } from '../../protocol/console-views.js';
import { formatRoute } from './route.js';

/** The views that can show all integrations at once. */
export const joinedViews: readonly View[] = ['overview', 'calls', 'webhooks', 'tasks'];

/** Returns the integrations of the session. */
export const useIntegrations = (): readonly SessionIntegration[] =>
  useResource(
    'integrations',
    () => api('GET /integrations'),
    ({ type }) => type === 'reloaded',
  ).data ?? [];

/** Shows another integration, in the same view if it has it. */
export function showIntegration({ name, key }: SessionIntegration, view: View): void {
  keepKey(key);
  const stays = name !== allIntegrations || joinedViews.includes(view);
  location.assign(formatRoute({ view: stays ? view : 'overview' }));
}

/** Chooses the integration that the console shows, if the session runs several. Each has its own key. */
export function IntegrationSwitch({
  platform: { integration },
  view,
}: {
  platform: PlatformResource;
  view: View;
}): JSX.Element | null {
  const data = useIntegrations();
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
        if (chosen) showIntegration(chosen, view);
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
