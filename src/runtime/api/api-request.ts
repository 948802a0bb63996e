import { parseJson } from '../../base/parse-json.js';

export interface ApiAccess {
  /** The address of the API, without `/v1`. */
  endpoint: string;
  authToken?: string | undefined;
  userAgent?: string | undefined;
}

export interface ApiAnswer<Data> {
  data: Data;
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
  declare readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

export type ApiRequest = <Data>(method: string, path: string, body?: unknown) => Promise<ApiAnswer<Data>>;

export const createApiRequest =
  ({ endpoint, authToken, userAgent }: ApiAccess): ApiRequest =>
  async <Data>(method: string, path: string, body?: unknown): Promise<ApiAnswer<Data>> => {
    const response = await fetch(`${endpoint}/v1/${path.replace(/^[/]?(v1[/])?/, '')}`, {
      method,
      headers: {
        ...(userAgent && { 'User-Agent': userAgent }),
        ...(authToken && { Authorization: `Bearer ${authToken}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const data = parseJson(text, text || undefined);
    if (response.ok) return { data: data as Data };
    const { status } = response;
    const { error } = (data ?? {}) as { error?: { message?: string } };
    throw new PlatformApiError(error?.message ?? `The API answered ${status}`, status);
  };
