import type { Addresses } from '../../public/addresses.js';
import { notFound } from '../../http/http-error.js';
import type { LastBuild } from '../../state/last-build.js';
import type { Registry } from '../../state/registry.js';
import type { Spaces } from '../../state/spaces.js';
import { defineRoute, type ConsoleRoute } from './console-route.js';
import { installationView } from './response-views.js';

export interface PlatformSettings {
  scopes: 'warn' | 'enforce';
  oauth: 'approve' | 'deny' | 'ask';
  oauthProvider: 'local' | 'real';
  publicUrl?: string;
  platformVersion: string;
}

export function overviewRoutes(deps: {
  registry: Registry;
  addresses: Addresses;
  spaces: Spaces;
  settings: PlatformSettings;
  builds: LastBuild;
  listing: (() => object | Promise<object>) | undefined;
}): ConsoleRoute[] {
  const { registry, addresses, spaces, settings, builds, listing } = deps;
  const allSpaces = () => registry.workspace.spaces.map(({ id }) => spaces.space(id));
  const allSites = () =>
    registry.workspace.sites.map(({ id, organization }) => spaces.site(organization, id));
  return [
    defineRoute({
      method: 'GET',
      path: '/overview',
      summary: 'The integration, its addresses, where it is installed, and the settings of the platform',
      answer: 'The overview.',
      run() {
        const { secrets, ...integration } = registry.integration();
        const { version, build } = registry.record();
        return {
          // Names only: what a manifest declares, never a value.
          integration: { ...integration, secrets: Object.keys(secrets) },
          version,
          build,
          lastBuild: builds.get(),
          urls: {
            console: addresses.console,
            envelope: `${addresses.local}/v1`,
            api: addresses.api,
            publicEndpoint: addresses.integration(integration.name),
            publicContentEndpoint: addresses.content(integration.name),
          },
          settings,
          organizations: registry.workspace.organizations,
          spaces: allSpaces(),
          sites: allSites(),
          installations: registry.installations
            .all()
            .map((one) => installationView(registry, addresses, one)),
        };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/listing',
      summary: 'What the checks of the marketplace say of the integration',
      answer:
        'What `publish-check --json` prints: findings and checks. 404 where the platform runs without the checks.',
      run() {
        if (!listing) throw notFound('The platform runs without the checks of the marketplace.');
        return listing();
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/spaces',
      summary: 'The spaces there are',
      answer: 'A list of spaces.',
      run: allSpaces,
    }),
    defineRoute({
      method: 'GET',
      path: '/sites',
      summary: 'The sites there are',
      answer: 'A list of sites.',
      run: allSites,
    }),
  ];
}
