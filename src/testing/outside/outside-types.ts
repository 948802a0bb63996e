/**
 * A site or a space that the integration is installed in; if both are left out, the installation itself.
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
 * A request that the script made. Nothing in it is masked.
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
  /** By their names in lower case. */
  headers: Record<string, string>;
  /** As text; empty if there is none. */
  body: string;
  /** Of the response; 0 if there was none. */
  status: number;
  /** Why there was no response. */
  error?: string;
  /** On the clock of the platform, in milliseconds since 1970. */
  time: number;
}

/**
 * What a stub responds with. A Response may be used any number of times.
 *
 * @example
 * ```ts
 * const created: StubResponse = async (request) => Response.json(await request.json(), { status: 201 });
 * platform.stub('POST https://api.example.com/items', created);
 * ```
 */
export type StubResponse = Response | ((request: Request) => Response | Promise<Response>);

/**
 * How a stub uses its responses.
 *
 * @example
 * ```ts
 * platform.stub('https://api.example.com', new Response('', { status: 429 }), { once: true });
 * ```
 */
export interface StubOptions {
  /** Use each response once. Otherwise the last one is used again and again. */
  once?: boolean;
}

/**
 * Where the platform sends events of a site or a space.
 *
 * @example
 * ```ts
 * platform.stub('https://receiver.example/hook', new Response());
 * await platform.webhook({ url: 'https://receiver.example/hook', events: ['site_view'], site: 'site_local' });
 * ```
 */
export interface TestWebhook {
  url: string;
  /** Types of events. */
  events: string[];
  /** What the requests are signed with. Default: a new secret. */
  secret?: string;
  /** Where its events happen. Default: the first space. */
  site?: string;
  space?: string;
}

/**
 * What was sent to a webhook.
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
  /** `delivered`, or why it is not. */
  state: string;
  /** Requests whose outcome is known. */
  attempts: number;
}

/**
 * What happens on the way to the provider and back.
 *
 * @example
 * ```ts
 * await platform.oauth({ path: '/oauth', token: { access_token: 'at' } });
 * await platform.oauth({ path: '/oauth', outcome: 'deny' });
 * ```
 */
export interface OAuthOptions extends TestTarget {
  /**
   * What happens at the provider: the user approves or denies, the code has expired when it is
   * exchanged, or the tokens come without a refresh token. Default: `approve`.
   */
  outcome?: 'approve' | 'deny' | 'expired-code' | 'no-refresh-token';
  /** The path that starts the flow. Default: the callback of the first button in the manifest. */
  path?: string;
  /** The body of the token endpoint's response, instead of that of the built-in provider. */
  token?: Record<string, unknown>;
  /** The status of the token endpoint's response. Default: 200. */
  status?: number;
}

/**
 * What the user sees in the end.
 *
 * @example
 * ```ts
 * const page = await platform.oauth();
 * expect(page.status).toBe(200);
 * expect(page.authorizeUrl.searchParams.get('scope')).toBe('read');
 * ```
 */
export interface OAuthPage extends Response {
  /** The address at the provider that the script sent the user to. */
  readonly authorizeUrl: URL;
}

/**
 * A visitor who opens a page of a site or space that needs authentication.
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
  /** The visitor signs out instead. */
  logout?: boolean;
  searchParams?: Record<string, string>;
  cookies?: Record<string, string>;
}
