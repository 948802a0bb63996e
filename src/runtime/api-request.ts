export interface ApiAccess {
  /** The address of the API, without `/v1`. */
  endpoint: string;
  authToken?: string | undefined;
  userAgent?: string;
}

export interface ApiAnswer<Data> {
  data: Data;
  status: number;
  headers: Headers;
}

/**
 * The API refused: `code` is the HTTP status, the message is the server's.
 *
 * @example
 * ```ts
 * import { PlatformApiError, type RuntimeContext } from 'integration-platform';
 *
 * async function titleOf(context: RuntimeContext, space: string): Promise<string | undefined> {
 *   try {
 *     return (await context.api.spaces.getSpaceById(space)).data.title;
 *   } catch (error) {
 *     if (error instanceof PlatformApiError && error.code === 404) return undefined;
 *     throw error;
 *   }
 * }
 * ```
 */
export class PlatformApiError extends Error {
  override readonly name = 'PlatformApiError';
  readonly code: number;
  /** The method and address of the call. */
  readonly call: string;

  constructor(message: string, code: number, call: string) {
    super(message);
    this.code = code;
    this.call = call;
  }
}

export type ApiRequest = <Data>(method: string, path: string, body?: unknown) => Promise<ApiAnswer<Data>>;

export function createApiRequest({ endpoint, authToken, userAgent = '' }: ApiAccess): ApiRequest {
  return async <Data>(method: string, path: string, body?: unknown): Promise<ApiAnswer<Data>> => {
    const below = path.replace(/^[/]?(v1[/])?/, '');
    const url = `${endpoint.replace(/[/]+$/, '')}/v1/${below}`;
    const headers: Record<string, string> = { Accept: 'application/json', 'User-Agent': userAgent };
    if (authToken) headers.Authorization = `Bearer ${authToken}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const json = body === undefined ? null : JSON.stringify(body);

    const response = await fetch(url, { method, headers, body: json });
    const data = parse(await response.text());
    if (!response.ok)
      throw new PlatformApiError(messageOf(data, response), response.status, `${method} ${url}`);
    return { data: data as Data, status: response.status, headers: response.headers };
  };
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function messageOf(data: unknown, response: Response): string {
  const { message } = (data as { error?: { message?: unknown } } | undefined)?.error ?? {};
  if (typeof message === 'string') return message;
  return `The API answered ${response.status} ${response.statusText}`.trimEnd();
}
