import { keepDrafts } from '../parts/draft.js';

/** What the platform answers when it will not do what was asked. */
class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const root = '/console/api';
let token = '';

/** The platform writes the token of its start into the page; nobody else has to find it there. */
export function takeToken(): void {
  const place = document.querySelector<HTMLMetaElement>('meta[name="platform-token"]');
  token = place?.content ?? '';
  place?.remove();
}

/** The platform has been started again, and with it came another token. */
function beginAnew(): void {
  const key = 'platform-console-reload';
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < 5000) return;
  sessionStorage.setItem(key, String(Date.now()));
  keepDrafts();
  location.reload();
}

/** Asks the console's own API. */
export async function send(
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const { body, headers, signal } = options;
  let response: Response;
  try {
    response = await fetch(root + path, {
      method,
      headers: {
        'X-Platform-Token': token,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, 'The local platform does not answer. Is `platform dev` still running?');
  }
  if (response.status === 401) beginAnew();
  if (!response.ok) throw new RequestError(response.status, await readError(response));
  return response;
}

export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body === undefined ? {} : { body });
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

export async function requestBytes(path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await send('GET', path)).arrayBuffer());
}

async function readError(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error?: string };
    if (error) return error;
  } catch {
    // It was no JSON: the text itself is all there is to say.
  }
  return text || `The platform answered ${response.status}.`;
}
