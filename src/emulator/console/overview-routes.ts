import type { PlatformBase } from '../state/platform-base.js';
import type { Handlers } from '../../contract/console-api.js';
import type {
  overviewRoutes as contract,
  PlatformSettings,
  SessionIntegration,
} from '../../contract/routes/overview.js';
import type { PlatformOptions } from '../emulator.js';
import type { listingRoutes } from '../../contract/routes/listing.js';
import type { BuildReport } from '../../protocol/build-report.js';
import type { EventFeed } from '../live/event-feed.js';
import { notFound } from '../http/http-error.js';
import type { Spaces } from '../spaces/spaces.js';
import { installationView } from '../installations/installation-routes.js';

type Routes = Exclude<keyof typeof contract, 'GET /pages'>;

export function overviewRoutes(
  deps: Pick<PlatformBase, 'registry' | 'addresses'> & {
    spaces: Spaces;
    settings: PlatformSettings;
    builds: LastBuild;
    token: string;
    integrations: PlatformOptions['integrations'];
    listing: PlatformOptions['listing'];
  },
): Handlers<Routes | keyof typeof listingRoutes> {
  const { registry, addresses, spaces, settings, builds, token } = deps;
  const alone = (): SessionIntegration[] => {
    const { name, title } = registry.integration();
    return [{ name, title, running: true, key: token }];
  };
  const allSpaces = () => registry.workspace.spaces.map(({ id }) => spaces.space(id));
  const allSites = () =>
    registry.workspace.sites.map(({ id, organization }) => spaces.site(organization, id));
  return {
    'GET /overview'() {
      const { secrets, unsetSecrets: _, organizationInTarget: __, ...integration } = registry.integration();
      const { version, build, versionSince } = registry.record();
      const lastBuild = builds.get();
      return {
        // Only the names of the declared secrets, never their values.
        integration: { ...integration, secrets: Object.keys(secrets) },
        version,
        ...(build !== undefined && { build }),
        ...(versionSince !== undefined && { versionSince }),
        ...(lastBuild && { lastBuild }),
        urls: {
          console: addresses.console,
          envelope: `${addresses.local}/v1`,
          api: addresses.api,
          publicEndpoint: addresses.integration(integration.name),
          publicContentEndpoint: addresses.content(integration.name),
        },
        clockAhead: registry.record().clockAhead ?? 0,
        settings,
        organizations: registry.workspace.organizations,
        spaces: allSpaces(),
        sites: allSites(),
        installations: registry.installations.all().map((one) => installationView(registry, addresses, one)),
      };
    },
    'GET /integrations': deps.integrations ?? alone,
    'GET /listing'() {
      if (!deps.listing) throw notFound('The marketplace checks are not available on this platform.');
      return deps.listing();
    },
    'GET /spaces': allSpaces,
    'GET /sites': allSites,
  };
}

type LastBuild = ReturnType<typeof createLastBuild>;

export function createLastBuild(feed: EventFeed) {
  let last: BuildReport | undefined;
  return {
    get: () => last,
    set(report: BuildReport) {
      last = report;
      feed.emitToConsole({ type: 'build', ok: report.ok });
    },
  };
}
