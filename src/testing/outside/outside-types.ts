import type { OAuthOutcome } from '../../protocol/oauth/oauth-outcomes.js';

/**
 * A site or space that the integration was added to. If both are omitted, the target is the installation itself.
 *
 * @example
 * ```ts
 * const site: TestTarget = { site: 'site_local' };
 * expect(platform.environment(site).siteInstallation?.status).toBe('active');
 * ```
 */
export interface TestTarget {
  site?: string | undefined;
  space?: string | undefined;
}

/**
 * A request that the script sent. Nothing in it is masked.
 *
 * @example
 * ```ts
 * const [request] = platform.outbound();
 * expect(request).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer at' } });
 * expect(JSON.parse(request?.body ?? '')).toEqual({ text: 'Hello' });
 * ```
 */
export interface TestRequest {
  method: string;
  url: string;
  /** Keyed by name, in lower case. */
  headers: Record<string, string>;
  /** The body as text. Empty if the request has no body. */
  body: string;
  /** Status of the response, or 0 if there was none. */
  status: number;
  /** The reason why there was no response. */
  error?: string;
  /** Time on the platform's clock, in milliseconds since the Unix epoch. */
  time: number;
}

/**
 * A stub's response. You can use the same Response several times.
 *
 * @example
 * ```ts
 * const created: StubResponse = async (request) => Response.json(await request.json(), { status: 201 });
 * platform.stub('POST https://api.example.com/items', created);
 * ```
 */
export type StubResponse = Response | ((request: Request) => Response | Promise<Response>);

/**
 * Options for a stub.
 *
 * @example
 * ```ts
 * platform.stub('https://api.example.com', new Response('', { status: 429 }), { once: true });
 * ```
 */
export interface StubOptions {
  /** Whether to use each response only once. If this is not set, the last response is repeated. */
  once?: boolean;
}

/**
 * A webhook that receives events from a site or space.
 *
 * @example
 * ```ts
 * platform.stub('https://receiver.example/hook', new Response());
 * await platform.webhook({ url: 'https://receiver.example/hook', events: ['site_view'], site: 'site_local' });
 * ```
 */
export interface TestWebhook {
  url: string;
  /** Types of events to receive. */
  events: string[];
  /** The secret that signs the requests. Default: a new secret. */
  secret?: string;
  /** The site or space to receive events from. Default: the first space. */
  site?: string;
  space?: string;
}

/**
 * A delivery to a webhook.
 *
 * @example
 * ```ts
 * const [delivery] = await platform.deliveries();
 * expect(delivery).toMatchObject({ type: 'site_view', state: 'delivered', attempts: 1 });
 * ```
 */
export interface TestDelivery {
  type: string;
  eventId: string;
  /** `delivered`, or the reason why it was not delivered. */
  state: string;
  /** Number of requests whose result is known. */
  attempts: number;
}

/**
 * Options for an OAuth flow.
 *
 * @example
 * ```ts
 * await platform.oauth({ path: '/oauth', token: { access_token: 'at' } });
 * await platform.oauth({ path: '/oauth', outcome: 'deny' });
 * ```
 */
export interface OAuthOptions extends TestTarget {
  /**
   * What happens at the provider: the user approves or denies, the code has expired by the time it is exchanged, or the
   * response contains no refresh token. Default: `approve`.
   */
  outcome?: OAuthOutcome;
  /** The path that starts the flow. Default: the callback of the first button in the manifest. */
  path?: string;
  /** Body of the token endpoint's response. Default: the built-in provider's response. */
  token?: Record<string, unknown>;
  /** The status of the token endpoint's response. Default: 200. */
  status?: number;
}

/**
 * The page that the user sees at the end.
 *
 * @example
 * ```ts
 * const page = await platform.oauth();
 * expect(page.status).toBe(200);
 * expect(page.authorizeUrl.searchParams.get('scope')).toBe('read');
 * ```
 */
export interface OAuthPage extends Response {
  /** The provider's URL that the script redirected the user to. */
  readonly authorizeUrl: URL;
}

/**
 * A visitor who opens a page on a site or in a space that requires authentication.
 *
 * @example
 * ```ts
 * const response = await platform.visit({ site: 'site_local', location: '/guide' });
 * expect(response.headers.get('location')).toContain('https://id.example.com/');
 * ```
 */
export interface VisitOptions extends TestTarget {
  /** The path of the page. */
  location?: string;
  /** Whether the visitor signs out instead. */
  logout?: boolean;
  searchParams?: Record<string, string>;
  cookies?: Record<string, string>;
}
