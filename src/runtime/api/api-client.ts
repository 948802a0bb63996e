import type { Installation, SiteInstallation, SpaceInstallation } from '../../protocol/environment.js';
import type {
  AskAnswer,
  AskFormat,
  AskOptions,
  AskStreamEvent,
  ConversationInput,
  Document,
  ExtendedListOptions,
  InstallationChange,
  List,
  ListOptions,
  QueuedTask,
  Revision,
  RevisionChanges,
  RevisionOptions,
  RevisionPage,
  Site,
  SiteAdaptiveSchema,
  Space,
  UrlContent,
  User,
} from './api-resources.js';
import { createApiRequests, type ApiAccess, type ApiAnswer, type ApiRequests } from './api-request.js';
import type { AnyValues } from '../environment/runtime-environment.js';
import { withQuery } from '../environment/urls.js';

type Answer<Data> = Promise<ApiAnswer<Data>>;
type Account = Installation<AnyValues>;
type OnSite = SiteInstallation<AnyValues>;
type InSpace = SpaceInstallation<AnyValues>;
type WithSite = Omit<OnSite, 'site'> & { site: string | Site };
type WithSpace = Omit<InSpace, 'space'> & { space: string | Space };

/** A client for the platform's API. Every method resolves to `{ data }` or throws a `PlatformApiError`. */
export interface PlatformApi {
  /** Base URL of the API, without `/v1`. */
  readonly endpoint: string;
  /** Token that authenticates the requests. */
  readonly authToken?: string | undefined;
  /** Sent as the `User-Agent` header. */
  readonly userAgent?: string | undefined;
  /** An integration's installations and tasks. */
  integrations: {
    /** Returns an installation. */
    getIntegrationInstallationById(integration: string, installation: string): Answer<Account>;
    /** Changes an installation. */
    updateIntegrationInstallation(
      integration: string,
      installation: string,
      change: InstallationChange,
    ): Answer<Account>;
    /** Lists an integration's installations. */
    listIntegrationInstallations(integration: string, options?: ListOptions): Answer<List<Account>>;
    /** Returns an installation in a space. */
    getIntegrationSpaceInstallation(
      integration: string,
      installation: string,
      space: string,
    ): Answer<InSpace>;
    /** Changes an installation in a space. */
    updateIntegrationSpaceInstallation(
      integration: string,
      installation: string,
      space: string,
      change: InstallationChange,
    ): Answer<InSpace>;
    /** Lists an integration's installations in spaces. */
    listIntegrationSpaceInstallations(
      integration: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSpace>>;
    /** Lists an integration's installations in spaces. */
    listIntegrationSpaceInstallations(integration: string, options?: ListOptions): Answer<List<InSpace>>;
    /** Lists the spaces of one installation. */
    listIntegrationInstallationSpaces(
      integration: string,
      installation: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSpace>>;
    /** Lists the spaces of one installation. */
    listIntegrationInstallationSpaces(
      integration: string,
      installation: string,
      options?: ListOptions,
    ): Answer<List<InSpace>>;
    /** Returns an installation on a site. */
    getIntegrationSiteInstallation(integration: string, installation: string, site: string): Answer<OnSite>;
    /** Changes an installation on a site. */
    updateIntegrationSiteInstallation(
      integration: string,
      installation: string,
      site: string,
      change: InstallationChange,
    ): Answer<OnSite>;
    /** Lists an integration's installations on sites. */
    listIntegrationSiteInstallations(
      integration: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSite>>;
    /** Lists an integration's installations on sites. */
    listIntegrationSiteInstallations(integration: string, options?: ListOptions): Answer<List<OnSite>>;
    /** Lists the sites of one installation. */
    listIntegrationInstallationSites(
      integration: string,
      installation: string,
      options: ExtendedListOptions,
    ): Answer<List<WithSite>>;
    /** Lists the sites of one installation. */
    listIntegrationInstallationSites(
      integration: string,
      installation: string,
      options?: ListOptions,
    ): Answer<List<OnSite>>;
    /** Queues a task for the integration. In a handler, use `context.integration.queueTask`. */
    queueIntegrationTask(integration: string, task: QueuedTask<object>): Answer<unknown>;
    /** Creates a token that acts as an installation. */
    createIntegrationInstallationToken(
      integration: string,
      installation: string,
    ): Answer<{ token: string; expiresAt: string }>;
  };
  /** Spaces and their content. */
  spaces: {
    /** Returns a space. */
    getSpaceById(space: string): Answer<Space>;
    /** Returns a space's current revision with its pages. */
    getCurrentRevision(space: string, options?: RevisionOptions): Answer<Revision>;
    /** Returns a space's revision with its pages. */
    getRevisionById(space: string, revision: string, options?: RevisionOptions): Answer<Revision>;
    /** Lists the pages and files that a revision changed. */
    getRevisionSemanticChanges(
      space: string,
      revision: string,
      options?: { limit?: number; metadata?: boolean },
    ): Answer<RevisionChanges>;
    /** Returns a page of a revision. */
    getPageInRevisionById(
      space: string,
      revision: string,
      page: string,
      options?: { format?: 'markdown' | 'document' },
    ): Answer<RevisionPage>;
    /** Returns a page's content. */
    getDocumentById(space: string, document: string): Answer<Document>;
    /** Replaces a space's content with the content of a Git repository. */
    importGitRepository(space: string, from: object): Answer<unknown>;
    /** Pushes a space's content to a Git repository. */
    exportToGitRepository(space: string, to: object): Answer<unknown>;
  };
  /** Organizations and their sites. */
  orgs: {
    /** Returns a site. */
    getSiteById(organization: string, site: string): Answer<Site>;
    /** Returns the schema of the visitor claims that a site accepts. */
    getSiteAdaptiveSchema(organization: string, site: string): Answer<SiteAdaptiveSchema>;
    /** Replaces the schema of the visitor claims that a site accepts. */
    updateSiteAdaptiveSchema(
      organization: string,
      site: string,
      schema: SiteAdaptiveSchema,
    ): Answer<SiteAdaptiveSchema>;
    /** Adds conversations to an organization's knowledge. */
    ingestConversation(
      organization: string,
      conversations: ConversationInput | ConversationInput[],
    ): Answer<unknown>;
    /** Asks an organization's AI a question. */
    askInOrganization<Format extends AskFormat = 'markdown'>(
      organization: string,
      question: { query: string; [field: string]: unknown },
      options?: AskOptions<Format>,
    ): Answer<{ answer?: AskAnswer<Format> }>;
    /** Asks an organization's AI a question and streams the response. */
    streamAskInOrganization<Format extends AskFormat = 'markdown'>(
      organization: string,
      question: { query: string } & AskOptions<Format>,
    ): AsyncIterable<AskStreamEvent<Format>>;
    /** Lists an organization's OpenAPI specifications. */
    listOpenApiSpecs(organization: string, options?: ListOptions): Answer<List<AnyValues>>;
  };
  /** The token's user. */
  user: {
    /** Returns the token's user. */
    getAuthenticatedUser(): Answer<User>;
  };
  /** URLs of the product. */
  urls: {
    /** Returns the space and page at a URL. */
    getContentByUrl(options: { url: string }): Answer<UrlContent>;
  };
  /** Creates a client that acts as another installation of the integration. */
  createInstallationClient(integration: string, installation: string): Promise<PlatformApi>;
  /** Sends any other API request. The path is relative to `/v1`, such as `/spaces/abc/content`. */
  request<Data = unknown>(method: string, path: string, body?: unknown): Answer<Data>;
}

/**
 * Creates a client for the platform's API with your own token. In a handler, use `context.api` instead.
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
 * Creates the same client as `createApiClient`, for code that uses `new`.
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
 * A route without a verb is a GET, and a route with an empty verb is a stream. The arguments replace the stars in order. If
 * there is a verb, the next argument is the body. The last argument is the query.
 */
type Route = `${'' | 'POST ' | 'PUT ' | 'PATCH ' | ' '}${'' | `/${string}`}`;
type Routes<Methods> = Record<keyof Methods, Route>;

const ofInstallation = '/installations/*';

type OfTarget<Target extends string> =
  | `getIntegration${Target}Installation`
  | `updateIntegration${Target}Installation`
  | `listIntegration${Target}Installations`
  | `listIntegrationInstallation${Target}s`;

/** Spaces and sites have the same routes. */
const targetRoutes = <Target extends 'Space' | 'Site'>(target: Target): Record<OfTarget<Target>, Route> => {
  const targets: Route = `/${target.toLowerCase()}s`;
  const installed: Route = `${ofInstallation}${targets}`;
  return {
    [`getIntegration${target}Installation`]: `${installed}/*`,
    [`updateIntegration${target}Installation`]: `PATCH ${installed}/*`,
    [`listIntegration${target}Installations`]: targets,
    [`listIntegrationInstallation${target}s`]: installed,
  } as Record<OfTarget<Target>, Route>;
};

const integrationRoutes = /* @__PURE__ */ ((): Routes<PlatformApi['integrations']> => ({
  listIntegrationInstallations: '/installations',
  queueIntegrationTask: 'POST /tasks',
  getIntegrationInstallationById: ofInstallation,
  updateIntegrationInstallation: `PATCH ${ofInstallation}`,
  createIntegrationInstallationToken: `POST ${ofInstallation}/tokens`,
  ...targetRoutes('Space'),
  ...targetRoutes('Site'),
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
  // Two clients are created for each event. Copying an object and overwriting its values is five times as fast as building a
  // new one.
  const made: Record<string, unknown> = { ...routes };
  for (const name in made) made[name] = method(made[name] as string);
  return made as Methods;
};
