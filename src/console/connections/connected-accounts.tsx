import type { JSX } from 'preact';
import type { Connection } from '../../contract/routes/connections.js';
import type { ConfigurationProperty, ConfigurationSection } from '../../protocol/integration.js';
import { tokenExpiry } from '../../protocol/oauth/token-expiry.js';
import type { Installed } from '../live/where-installed.js';
import { formatTimeExact, formatTimeOrDate, formatWait } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Icon } from '../ui/icon.js';
import { useNow } from '../ui/state/use-now.js';
import { connectAddress } from './open-connection.js';
import { useConnections } from './use-connections.js';

/** The connected accounts. Shown above the form, because their fields may be far down in it. */
export function ConnectedAccounts(props: {
  configured: Installed;
  section: ConfigurationSection | undefined;
}): JSX.Element {
  const { configured, section } = props;
  return (
    <>
      {Object.entries(section?.properties ?? {}).map(([name, property]) => {
        const value = configured.configuration[name];
        return property.type === 'button' && value !== undefined && value !== null ? (
          <ConnectedAccount key={name} {...{ configured, property, value }} title={property.title ?? name} />
        ) : undefined;
      })}
    </>
  );
}

interface ConnectedAccountProps {
  configured: Installed;
  property: Extract<ConfigurationProperty, { type: 'button' }>;
  value: unknown;
  title: string;
}

function ConnectedAccount({ configured, property, value, title }: ConnectedAccountProps): JSX.Element {
  const address = connectAddress(configured, property);
  const succeeded = useConnections(configured.target).filter(({ outcome }) => outcome === 'connected');
  const connected = succeeded.find(({ startUrl }) => startUrl === address);
  const refreshed = succeeded.find(({ refresh, time }) => refresh && time > (connected?.time ?? 0));
  const expiresAt = tokenExpiry(value);
  const now = useNow(expiresAt === undefined ? undefined : 1000);
  const scope = scopeOf(refreshed) ?? scopeOf(connected);
  const expired = expiresAt !== undefined && expiresAt <= now;
  const time = (at: number): JSX.Element => (
    <span class="number" title={formatTimeExact(at)}>
      {formatTimeOrDate(at, now)}
    </span>
  );
  return (
    <div class={`bar screen-banner account ${expired ? 'warn' : 'ok'}`} role="group" aria-label={title}>
      <Icon name={expired ? 'clock' : 'check'} />
      <div class="wrap">
        <p>
          <strong>{title} connected</strong>
          {connected && <> since {time(connected.time)}</>}
        </p>
        {expiresAt !== undefined && (
          <p>
            Token {expired ? 'expired' : 'expires'} {time(expiresAt)}
            {!expired && <span class="number">, in {formatWait(expiresAt - now)}</span>}
          </p>
        )}
        {refreshed && <p>Refreshed {time(refreshed.time)}</p>}
        {scope !== undefined && (
          <p>
            Scope <span class="mono wrap-anywhere">{showControls(scope)}</span>
          </p>
        )}
      </div>
    </div>
  );
}

const scopeOf = (connection: Connection | undefined): string | undefined =>
  connection?.steps.find(({ name }) => name === 'exchange')?.received.find(({ name }) => name === 'scope')
    ?.value;
