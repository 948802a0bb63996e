import type { Installation, SiteInstallation, SpaceInstallation } from '../protocol/environment.js';
import type { Task } from '../protocol/events.js';
import type { Revision, Site, Space } from './api-resources.js';
import { createApiRequest, type ApiAnswer, type ApiAccess } from './api-request.js';
import type { AnyValues } from './environment.js';

export interface InstallationChange {
  /** Replaces the configuration whole. */
  configuration?: object;
  externalIds?: string[];
}

export interface ListOptions {
  externalId?: string;
  limit?: number;
  page?: string;
}

export interface List<Item> {
  items: Item[];
  next?: { page: string };
}

export interface QueuedTask {
  task: Task;
  /** In how many seconds it is due, 0 to 86400. */
  schedule?: number;
}

type Answer<Data> = Promise<ApiAnswer<Data>>;
type Account = Installation<AnyValues>;
type OnSite = SiteInstallation<AnyValues>;
type InSpace = SpaceInstallation<AnyValues>;

/** A client of the platform's API. Every method answers `{ data }` or throws a `PlatformApiError`. */
export interface PlatformApi {
  readonly endpoint: string;
  readonly authToken: string | undefined;
  readonly userAgent: string;
  integrations: {
    getIntegrationInstallationById(integration: string, installation: string): Answer<Account>;
    updateIntegrationInstallation(
      integration: string,
      installation: string,
      change: InstallationChange,
    ): Answer<Account>;
    listIntegrationInstallations(integration: string, options?: ListOptions): Answer<List<Account>>;
    getIntegrationSpaceInstallation(
      integration: string,
      installation: string,
      space: string,
    ): Answer<InSpace>;
    updateIntegrationSpaceInstallation(
      integration: string,
      installation: string,
      space: string,
      change: InstallationChange,
    ): Answer<InSpace>;
    listIntegrationSpaceInstallations(integration: string, options?: ListOptions): Answer<List<InSpace>>;
    getIntegrationSiteInstallation(integration: string, installation: string, site: string): Answer<OnSite>;
    updateIntegrationSiteInstallation(
      integration: string,
      installation: string,
      site: string,
      change: InstallationChange,
    ): Answer<OnSite>;
    queueIntegrationTask(integration: string, task: QueuedTask): Answer<unknown>;
    createIntegrationInstallationToken(
      integration: string,
      installation: string,
    ): Answer<{ token: string; expiresAt: string }>;
  };
  spaces: {
    getSpaceById(space: string): Answer<Space>;
    getCurrentRevision(space: string): Answer<Revision>;
  };
  orgs: {
    getSiteById(organization: string, site: string): Answer<Site>;
  };
  /** A client that acts as an installation, with a token of its own. */
  createInstallationClient(integration: string, installation: string): Promise<PlatformApi>;
  /** Any other call. The path is that below `/v1`, as in `/spaces/abc/content`. */
  request<Data = unknown>(method: string, path: string, body?: unknown): Answer<Data>;
}

/**
 * A client of the platform's API with a token of your choice. Inside of a handler, use `context.api`.
 *
 * @example
 * ```ts
 * import { createApiClient, type RuntimeContext } from 'integration-platform';
 *
 * async function spaceTitle(context: RuntimeContext, space: string): Promise<string> {
 *   const { apiEndpoint, apiTokens } = context.environment;
 *   const api = createApiClient({ endpoint: apiEndpoint, authToken: apiTokens.integration });
 *   const { data } = await api.spaces.getSpaceById(space);
 *   return data.title;
 * }
 * ```
 */
export function createApiClient(access: ApiAccess): PlatformApi {
  const { endpoint, authToken, userAgent = 'integration-platform' } = access;
  const call = createApiRequest({ ...access, userAgent });
  const at = (integration: string, ...segments: string[]): string =>
    ['/integrations', ...[integration, ...segments].map(encodeURIComponent)].join('/');

  const api: PlatformApi = {
    endpoint,
    authToken,
    userAgent,
    integrations: {
      getIntegrationInstallationById: (name, id) => call('GET', at(name, 'installations', id)),
      updateIntegrationInstallation: (name, id, change) =>
        call('PATCH', at(name, 'installations', id), change),
      listIntegrationInstallations: (name, options) =>
        call('GET', at(name, 'installations') + query(options)),
      getIntegrationSpaceInstallation: (name, id, space) =>
        call('GET', at(name, 'installations', id, 'spaces', space)),
      updateIntegrationSpaceInstallation: (name, id, space, change) =>
        call('PATCH', at(name, 'installations', id, 'spaces', space), change),
      listIntegrationSpaceInstallations: (name, options) => call('GET', at(name, 'spaces') + query(options)),
      getIntegrationSiteInstallation: (name, id, site) =>
        call('GET', at(name, 'installations', id, 'sites', site)),
      updateIntegrationSiteInstallation: (name, id, site, change) =>
        call('PATCH', at(name, 'installations', id, 'sites', site), change),
      queueIntegrationTask: (name, task) => call('POST', at(name, 'tasks'), task),
      createIntegrationInstallationToken: (name, id) => call('POST', at(name, 'installations', id, 'tokens')),
    },
    spaces: {
      getSpaceById: (space) => call('GET', `/spaces/${encodeURIComponent(space)}`),
      getCurrentRevision: (space) => call('GET', `/spaces/${encodeURIComponent(space)}/content`),
    },
    orgs: {
      getSiteById: (organization, site) =>
        call('GET', `/orgs/${encodeURIComponent(organization)}/sites/${encodeURIComponent(site)}`),
    },
    async createInstallationClient(name, id) {
      const { data } = await api.integrations.createIntegrationInstallationToken(name, id);
      return createApiClient({ ...access, authToken: data.token });
    },
    request: call,
  };
  return api;
}

function query(options: ListOptions = {}): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text && `?${text}`;
}
