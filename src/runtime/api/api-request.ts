import { parseJson } from '../../base/parse-json.js';

/** API connection settings. */
export interface ApiAccess {
  /** Base URL of the API, without `/v1`. */
  endpoint: string;
  /** Token that authenticates the requests. */
  authToken?: string | undefined;
  /** Sent as the `User-Agent` header. */
  userAgent?: string | undefined;
}

/** An API response. */
export interface ApiAnswer<Data> {
  /** The parsed JSON response. */
  data: Data;
}

/**
 * Thrown when the API responds with an error. `code` is the HTTP status; the message comes from the server.
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
  /** The HTTP status. */
  declare readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

export interface ApiRequests {
  request<Data>(method: string, path: string, body?: unknown): Promise<ApiAnswer<Data>>;
  /** Yields the data of server-sent events as they arrive. */
  stream(path: string): AsyncIterable<unknown>;
}

export const createApiRequests = ({ endpoint, authToken, userAgent }: ApiAccess): ApiRequests => {
  const send = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${endpoint}/v1/${path.replace(/^[/]?(v1[/])?/, '')}`, {
      method,
      headers: {
        ...(userAgent && { 'User-Agent': userAgent }),
        ...(authToken && { Authorization: `Bearer ${authToken}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: JSON.stringify(body),
    });
    if (response.ok) return response;
    const { error } = (parseJson(await response.text(), undefined) ?? {}) as { error?: { message?: string } };
    throw new PlatformApiError(
      error?.message ?? `The API responded with ${response.status}`,
      response.status,
    );
  };
  return {
    async request<Data>(method: string, path: string, body?: unknown) {
      const text = await (await send(method, path, body)).text();
      return { data: parseJson(text, text || undefined) as Data };
    },
    async *stream(path) {
      let rest = '';
      const { body } = await send('GET', path);
      // The DOM types do not include async iteration over a ReadableStream. Leaving the loop early cancels the stream.
      const texts: unknown = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream());
      for await (const text of texts as AsyncIterable<string>) {
        const lines = (rest + text).split('\n');
        rest = lines.pop() as string;
        for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5)) as unknown;
      }
    },
  };
};
