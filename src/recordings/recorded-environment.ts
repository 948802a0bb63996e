import { withDefaults } from '../emulator/index.js';
import type { Environment } from '../protocol/environment.js';
import { targetOfInstallation, type Integration } from '../protocol/integration.js';
import type { RecordedCall, RecordedInstallation } from './file/recording.js';

/** The platform's URL in every recording, whatever ports the session used. */
export const PLATFORM = 'http://127.0.0.1:4100';
export const CONSOLE = 'http://127.0.0.1:4101';

/** The URL of the platform's site. A session has a different one each time. */
export const SITE = 'http://127.0.0.1:4102';

/** Returns the values that replace the platform's own tokens and signing secrets in a replay. These values are not secret. */
const made = (name: string): string => `example-${name}`;

/**
 * Returns a call's environment, built from the stored values according to the given manifest. Properties that the manifest no
 * longer declares are still passed on, and new defaults are filled in.
 */
export function recordedEnvironment(
  { installation, siteInstallation, spaceInstallation }: RecordedInstallation,
  integration: Integration,
  secrets: Readonly<Record<string, string>>,
  event?: RecordedCall['event'],
): Environment {
  const { name, title, externalLinks, configurations } = integration;
  const base = `${PLATFORM}/v1/integrations/${name}`;
  const own = `${base}/installations/${installation?.id ?? ''}`;
  // In a request to the integration's own URL, that is also the installation's URL.
  const { url = '' } = event?.request ?? {};
  const isOwn = (url === base || /^[/?#]/.test(url.slice(base.length))) && url.startsWith(base);
  const called = isOwn && !url.startsWith(`${base}/installations/`) ? base : own;
  const endpoints = (address: string) => ({ publicEndpoint: address, publicContentEndpoint: address });
  return {
    apiEndpoint: `${PLATFORM}/api`,
    apiTokens: {
      integration: made('integration-token'),
      ...(installation && { installation: made('installation-token') }),
    },
    integration: {
      name,
      title,
      version: 1,
      urls: { ...endpoints(base), icon: `${CONSOLE}/console/assets/icon`, app: `${CONSOLE}/console` },
      externalLinks,
    },
    secrets: { ...secrets },
    signingSecrets: {
      integration: made('integration-signing-secret'),
      ...(installation && { installation: made('installation-signing-secret') }),
      ...(siteInstallation && { siteInstallation: made('site-signing-secret') }),
      ...(spaceInstallation && { spaceInstallation: made('space-signing-secret') }),
    },
    ...(installation && {
      installation: {
        target: targetOfInstallation(integration, installation.organization),
        space_selection: 'selected',
        ...installation,
        configuration: withDefaults(configurations.account, installation.configuration),
        urls: { ...endpoints(called), app: `${CONSOLE}/console/installations/${installation.id}` },
      },
    }),
    ...(installation &&
      siteInstallation && {
        siteInstallation: {
          installation: installation.id,
          integration: name,
          ...siteInstallation,
          configuration: withDefaults(configurations.site, siteInstallation.configuration),
          urls: endpoints(`${own}/sites/${siteInstallation.site}`),
        },
      }),
    ...(installation &&
      spaceInstallation && {
        spaceInstallation: {
          installation: installation.id,
          integration: name,
          ...spaceInstallation,
          configuration: withDefaults(configurations.space, spaceInstallation.configuration),
          urls: endpoints(`${own}/spaces/${spaceInstallation.space}`),
        },
      }),
  };
}

/** The platform's made-up secrets. Requests to a script may contain them or be signed with them. */
export const signingCandidates = (stored: RecordedInstallation): { name: string; value: string }[] =>
  [
    'integration-signing-secret',
    'integration-token',
    ...(stored.installation ? ['installation-signing-secret', 'installation-token'] : []),
    ...(stored.siteInstallation ? ['site-signing-secret'] : []),
    ...(stored.spaceInstallation ? ['space-signing-secret'] : []),
  ].map((name) => ({ name, value: made(name) }));
