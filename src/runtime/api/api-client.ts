import type { Installation, SiteInstallation, SpaceInstallation } from '../../protocol/environment.js';
import type {
  AskAnswer,
  AskFormat,
  AskOptions,
  AskStreamEvent,
  ConversationInput,
  Document,
  Revision,
  RevisionChange,
  RevisionPage,
  Site,
  SiteAdaptiveSchema,
  Space,
  UrlContent,
  User,
} from './api-resources.js';
import { createApiRequests, type ApiAccess, type ApiAnswer, type ApiRequests } from './api-request.js';
import type { AnyTask, AnyValues } from '../runtime-environment.js';
import { withQuery } from '../urls.js';

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

/** The things themselves stand in the list, instead of their ids. */
export interface ExtendedListOptions extends ListOptions {
  extended: true;
}

export interface List<Item> {
  items: Item[];
  /** How many there are on all pages. */
  count?: number;
  next?: { page: string };
}

export interface QueuedTask<Payload extends object = AnyTask> {
  task: Payload;
  /** In how many seconds it is due, 0 to 86400. */
  schedule?: number;
}

type Answer<Data> = Promise<ApiAnswer<Data>>;
type Account = Installation<AnyValues>;
type OnSite = SiteInstallation<AnyValues>;
type InSpace = SpaceInstallation<AnyValues>;
type WithSite = Omit<OnSite, 'site'> & { site: string | Site };
type WithSpace = Omit<InSpace, 'space'> & { space: string | Space };

/** A client of the platform's API. Every method answers `{ data }` or throws a `PlatformApiError`. */
export interface PlatformApi {
  readonly endpoint: string;
  readonly authToken?: string | undefined;
  readonly userAgent?: string | undefined;
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
    listIntegrationSpaceInstallations(
      integration: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSpace>>;
    listIntegrationSpaceInstallations(integration: string, options?: ListOptions): Answer<List<InSpace>>;
    listIntegrationInstallationSpaces(
      integration: string,
      installation: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSpace>>;
    listIntegrationInstallationSpaces(
      integration: string,
      installation: string,
      options?: ListOptions,
    ): Answer<List<InSpace>>;
    getIntegrationSiteInstallation(integration: string, installation: string, site: string): Answer<OnSite>;
    updateIntegrationSiteInstallation(
      integration: string,
      installation: string,
      site: string,
      change: InstallationChange,
    ): Answer<OnSite>;
    listIntegrationSiteInstallations(
      integration: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSite>>;
    listIntegrationSiteInstallations(integration: string, options?: ListOptions): Answer<List<OnSite>>;
    listIntegrationInstallationSites(
      integration: string,
      installation: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSite>>;
    listIntegrationInstallationSites(
      integration: string,
      installation: string,
      options?: ListOptions,
    ): Answer<List<OnSite>>;
    queueIntegrationTask(integration: string, task: QueuedTask<object>): Answer<unknown>;
    createIntegrationInstallationToken(
      integration: string,
      installation: string,
    ): Answer<{ token: string; expiresAt: string }>;
  };
  spaces: {
    getSpaceById(space: string): Answer<Space>;
    getCurrentRevision(space: string): Answer<Revision>;
    getRevisionById(space: string, revision: string): Answer<Revision>;
    getRevisionSemanticChanges(
      space: string,
      revision: string,
      options?: { limit?: number; metadata?: boolean },
    ): Answer<{ changes: RevisionChange[] }>;
    getPageInRevisionById(space: string, revision: string, page: string): Answer<RevisionPage>;
    getDocumentById(space: string, document: string): Answer<Document>;
    importGitRepository(space: string, from: object): Answer<unknown>;
    exportToGitRepository(space: string, to: object): Answer<unknown>;
  };
  orgs: {
    getSiteById(organization: string, site: string): Answer<Site>;
    getSiteAdaptiveSchema(organization: string, site: string): Answer<SiteAdaptiveSchema>;
    updateSiteAdaptiveSchema(
      organization: string,
      site: string,
      schema: SiteAdaptiveSchema,
    ): Answer<SiteAdaptiveSchema>;
    ingestConversation(
      organization: string,
      conversations: ConversationInput | ConversationInput[],
    ): Answer<unknown>;
    askInOrganization<Format extends AskFormat = 'markdown'>(
      organization: string,
      question: { query: string; [field: string]: unknown },
      options?: AskOptions<Format>,
    ): Answer<{ answer?: AskAnswer<Format> }>;
    streamAskInOrganization<Format extends AskFormat = 'markdown'>(
      organization: string,
      question: { query: string } & AskOptions<Format>,
    ): AsyncIterable<AskStreamEvent<Format>>;
    listOpenApiSpecs(organization: string, options?: ListOptions): Answer<List<AnyValues>>;
  };
  user: {
    getAuthenticatedUser(): Answer<User>;
  };
  urls: {
    getContentByUrl(options: { url: string }): Answer<UrlContent>;
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
  const requests = createApiRequests(access);
  const api: PlatformApi = {
    integrations: methods<PlatformApi['integrations']>(requests, 'integrations/*', integrationRoutes),
    spaces: methods<PlatformApi['spaces']>(requests, 'spaces/*', spaceRoutes),
    orgs: methods<PlatformApi['orgs']>(requests, 'orgs/*', organizationRoutes),
    user: methods<PlatformApi['user']>(requests, 'user', userRoutes),
    urls: methods<PlatformApi['urls']>(requests, 'urls', urlRoutes),
    async createInstallationClient(name, id) {
      const { data } = await api.integrations.createIntegrationInstallationToken(name, id);
      return createApiClient({ ...access, authToken: data.token });
    },
    request: requests.request,
    ...access,
  };
  return api;
}

/**
 * Makes the same client: for code that has one made with `new`.
 *
 * @example
 * ```ts
 * import { PlatformApi, type RuntimeContext } from 'integration-platform';
 *
 * const asIntegration = ({ environment: { apiEndpoint, apiTokens } }: RuntimeContext): PlatformApi =>
 *   new PlatformApi({ endpoint: apiEndpoint, authToken: apiTokens.integration });
 * ```
 */
export const PlatformApi = createApiClient as unknown as new (access: ApiAccess) => PlatformApi;

/**
 * A GET has no verb, and a stream an empty one. Each star is replaced by an argument. With a verb the next
 * argument is the body. The last one is the query.
 */
type Route = `${'' | 'POST ' | 'PUT ' | 'PATCH ' | ' '}${'' | `/${string}`}`;
type Routes<Methods> = Record<keyof Methods, Route>;

const ofInstallation = '/installations/*';

type OfPlace<Place extends string> =
  | `getIntegration${Place}Installation`
  | `updateIntegration${Place}Installation`
  | `listIntegration${Place}Installations`
  | `listIntegrationInstallation${Place}s`;

/** An integration is in a space as it is on a site. */
const placeRoutes = <Place extends 'Space' | 'Site'>(place: Place): Record<OfPlace<Place>, Route> => {
  const places: Route = `/${place.toLowerCase()}s`;
  const installed: Route = `${ofInstallation}${places}`;
  return {
    [`getIntegration${place}Installation`]: `${installed}/*`,
    [`updateIntegration${place}Installation`]: `PATCH ${installed}/*`,
    [`listIntegration${place}Installations`]: places,
    [`listIntegrationInstallation${place}s`]: installed,
  } as Record<OfPlace<Place>, Route>;
};

const integrationRoutes = /* @__PURE__ */ ((): Routes<PlatformApi['integrations']> => ({
  listIntegrationInstallations: '/installations',
  queueIntegrationTask: 'POST /tasks',
  getIntegrationInstallationById: ofInstallation,
  updateIntegrationInstallation: `PATCH ${ofInstallation}`,
  createIntegrationInstallationToken: `POST ${ofInstallation}/tokens`,
  ...placeRoutes('Space'),
  ...placeRoutes('Site'),
}))();

const spaceRoutes: Routes<PlatformApi['spaces']> = {
  getSpaceById: '',
  getCurrentRevision: '/content',
  getRevisionById: '/revisions/*',
  getRevisionSemanticChanges: '/revisions/*/changes',
  getPageInRevisionById: '/revisions/*/page/*',
  getDocumentById: '/documents/*',
  importGitRepository: 'POST /git/import',
  exportToGitRepository: 'POST /git/export',
};

const adaptiveSchema = '/sites/*/adaptive-schema';

const organizationRoutes: Routes<PlatformApi['orgs']> = {
  getSiteById: '/sites/*',
  getSiteAdaptiveSchema: adaptiveSchema,
  updateSiteAdaptiveSchema: `PUT ${adaptiveSchema}`,
  ingestConversation: 'POST /conversations',
  askInOrganization: 'POST /ask',
  streamAskInOrganization: ' /ask/stream',
  listOpenApiSpecs: '/openapi',
};

const userRoutes: Routes<PlatformApi['user']> = { getAuthenticatedUser: '' };

const urlRoutes: Routes<PlatformApi['urls']> = { getContentByUrl: '/content' };

const methods = <Methods extends object>(
  { request, stream }: ApiRequests,
  base: string,
  routes: Routes<Methods>,
): Methods => {
  const method =
    (route: string) =>
    (...given: unknown[]): unknown => {
      const [path = '', verb] = route.split(' ').reverse();
      const below = (base + path).replaceAll('*', () => encodeURIComponent(given.shift() as string));
      const body = verb && given.shift();
      const target = withQuery(below, given[0] as Record<string, undefined>);
      return verb === '' ? stream(target) : request(verb ?? 'GET', target, body);
    };
  // Every event has two clients made, and a copy that is written over is made five times as fast as another.
  const made: Record<string, unknown> = { ...routes };
  for (const name in made) made[name] = method(made[name] as string);
  return made as Methods;
};
