import { createWholeResponse } from '../whole-response.js';
import { WholeRequest } from './whole-request.js';

/** Up to this size a body is kept as the bytes that it is made of. */
const SMALL = 64 * 1024;

const bodied = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const bodiless = new Set<number | undefined>([204, 205, 304]);
const utf8 = new TextEncoder();

/**
 * Has `new Request` and `new Response` make no stream of a body that is small and at hand: most of what a
 * call costs would be streams that nobody looks at. Scripts see no difference.
 */
export function keepBodiesWhole(): void {
  const native = { fetch, Request, Response };
  const json: typeof Response.json = (data, init) => {
    const text = JSON.stringify(data) as string | undefined;
    if (text === undefined || text.length > SMALL || bodiless.has(init?.status)) {
      return native.Response.json(data, init);
    }
    return typed(createWholeResponse(utf8.encode(text), init ?? {}), 'application/json');
  };

  globalThis.Request = new Proxy(native.Request, {
    construct(target, [input, init]: [RequestInfo | URL, RequestInit?], newTarget) {
      const bytes = newTarget === Request ? bytesOf(init?.body) : undefined;
      if (init && bytes && bodied.has(init.method ?? 'GET')) return new WholeRequest(input, init, bytes);
      return Reflect.construct(target, [transparent(input, init), init], newTarget) as Request;
    },
  });
  globalThis.Response = new Proxy(native.Response, {
    construct(target, args: ConstructorParameters<typeof Response>, newTarget) {
      const [body, init] = args;
      if (newTarget === Response && !bodiless.has(init?.status)) {
        const text = typeof body === 'string' && body.length <= SMALL;
        const bytes = text ? utf8.encode(body) : bytesOf(body);
        const whole = bytes && createWholeResponse(bytes, init ?? {});
        if (whole) return text ? typed(whole, 'text/plain;charset=UTF-8') : whole;
      }
      return Reflect.construct(target, args, newTarget) as Response;
    },
    get: (target, key) => (key === 'json' ? json : (Reflect.get(target, key) as unknown)),
  });
  globalThis.fetch = (input, init) => native.fetch(transparent(input, init), init);
}

/** A copy of bytes that are few. */
function bytesOf(body: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (!(body instanceof ArrayBuffer || body instanceof Uint8Array) || body.byteLength > SMALL)
    return undefined;
  return new Uint8Array(body instanceof ArrayBuffer ? body.slice(0) : body);
}

function typed(response: Response, type: string): Response {
  if (!response.headers.has('content-type')) response.headers.set('content-type', type);
  return response;
}

/** What Node's own classes can see the body of. */
const transparent = <Input>(input: Input, init: RequestInit | undefined): Input | Request =>
  input instanceof WholeRequest && init?.body == null ? input.streamed() : input;
