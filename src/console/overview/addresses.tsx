import type { JSX } from 'preact';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { api } from '../api/fetch-api.js';
import { CopyButton } from '../ui/copy-button.js';
import { Chip } from '../ui/status.js';

/** These addresses are rarely needed, so they are collapsed at first. */
export function AddressesAndScopes({ platform }: { platform: PlatformResource }): JSX.Element {
  const { urls, integration } = platform;
  const rows: [string, string][] = [
    ['Public endpoint', urls.publicEndpoint],
    ['Envelope', urls.envelope],
    ['Management API', urls.api],
    ['Published content', urls.publicContentEndpoint],
  ];
  return (
    <details class="card folded">
      <summary>Addresses and scopes</summary>
      <ul class="addresses" aria-label="Addresses">
        {integration.visibility === 'unlisted' && (
          <li>
            <div class="grow">
              <p class="small quiet">Install link</p>
              <p class="small">Anyone with this link can install the integration.</p>
            </div>
            <CopyButton
              text={async () => (await api('GET /install-link')).url}
              label="Copy the address: Install link"
            />
          </li>
        )}
        {rows.map(([name, address]) => (
          <li key={name}>
            <div class="grow">
              <p class="small quiet">{name}</p>
              <p class="mono wrap-anywhere">{address}</p>
            </div>
            <CopyButton text={address} label={`Copy the address: ${name}`} />
          </li>
        ))}
      </ul>
      <div class="card-note">
        {integration.scopes.length === 0 ? (
          <p class="quiet">The manifest requests no scopes.</p>
        ) : (
          <ul class="chips" aria-label="Scopes">
            {integration.scopes.map((scope) => (
              <li key={scope}>
                <Chip>{scope}</Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}
