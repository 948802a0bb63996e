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

export interface ApiRequests {
  request<Data>(method: string, path: string, body?: unknown): Promise<ApiAnswer<Data>>;
  /** The data of server-sent events, as they come in. */
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
    throw new PlatformApiError(error?.message ?? `The API responded ${response.status}`, response.status);
  };
  return {
    async request<Data>(method: string, path: string, body?: unknown) {
      const text = await (await send(method, path, body)).text();
      return { data: parseJson(text, text || undefined) as Data };
    },
    async *stream(path) {
      let rest = '';
      const { body } = await send('GET', path);
      // Every ReadableStream can be iterated, but not in the DOM's types. It is cancelled if the loop ends early.
      const texts: unknown = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream());
      for await (const text of texts as AsyncIterable<string>) {
        const lines = (rest + text).split('\n');
        rest = lines.pop() as string;
        for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5)) as unknown;
      }
    },
  };
};
