import type { StubOptions, StubResponse } from './outside-types.js';

export type Stubs = ReturnType<typeof createStubs>;

interface Stub {
  text: string;
  address: StubAddress;
  responses: StubResponse[];
  once: boolean;
  used: number;
}

/** Matches requests: `[METHOD ]URL[?query]`. `*` matches any text in the host or a path segment. */
interface StubAddress {
  matches(request: Pick<Request, 'method' | 'url'>): boolean;
  /** How specific the stub is. The most specific stub wins. */
  weight: number[];
}

/**
 * A stub response for a service that never responds, to test how a script handles time limits. The request
 * ends when the script aborts it. `AbortSignal.timeout` aborts when the test advances the clock far enough.
 *
 * @example
 * ```ts
 * platform.stub('https://api.example.com', hang());
 * const response = platform.fetch('/status');
 * await platform.clock.advance(5_000);
 * expect((await response).status).toBe(504);
 * ```
 */
export const hang = (): StubResponse => {
  const response: StubResponse = () => new Promise<Response>(() => {});
  hanging.add(response);
  return response;
};

const hanging = new WeakSet<object>();

/** Calls `wrong` for each stub that does not return a response. */
export function createStubs(apiBase: string, wrong: (message: string) => void) {
  const stubs: Stub[] = [];
  const [closed, hung] = [new AbortController(), new AbortController()];
  const fits = (stub: Stub, request: Request): boolean =>
    (!stub.once || stub.used < stub.responses.length) && stub.address.matches(request);

  const respond = async (stub: Stub, response: StubResponse, request: Request): Promise<Response> => {
    const given: unknown = typeof response === 'function' ? await response(request) : response;
    if (!(given instanceof Response)) {
      const message = `The stub for ${stub.text} returned ${given === null ? 'null' : `a value of type ${typeof given}`} instead of a Response for ${request.method} ${request.url}.`;
      wrong(message);
      throw new TypeError(message);
    }
    // Cloned, because the test may return the same response again.
    return given.body ? given.clone() : given;
  };

  return {
    add(text: string, response: StubResponse | StubResponse[], { once = false }: StubOptions = {}) {
      const responses = Array.isArray(response) ? response : [response];
      if (responses.length === 0) throw new Error(`The stub for ${text} has no response.`);
      stubs.push({ text, address: parseStubAddress(text, apiBase), responses, once, used: 0 });
    },
    /** Returns the response of the most specific matching stub, or undefined if none matches. */
    respond(request: Request) {
      const stub = stubs.filter((one) => fits(one, request)).reduce<Stub | undefined>(heavier, undefined);
      if (!stub) return undefined;
      const response = stub.responses[Math.min(stub.used, stub.responses.length - 1)];
      stub.used += 1;
      if (!response) return undefined;
      const ends = [request.signal, closed.signal, ...(hanging.has(response) ? [hung.signal] : [])];
      return unlessAborted(AbortSignal.any(ends), respond(stub, response, request));
    },
    /** Fails all requests that are waiting for a `hang()`. */
    endHanging: () => hung.abort(new DOMException('The test platform was closed.', 'AbortError')),
    /** Fails all waiting requests. */
    end: () => closed.abort(new DOMException('The test platform was closed.', 'AbortError')),
  };
}

const written = /^(?:([A-Z]+) +)?(\S+)$/;

/** A path that starts with `/` is relative to `apiBase`. */
function parseStubAddress(text: string, apiBase: string): StubAddress {
  const [, method, address = ''] = written.exec(text) ?? [];
  const whole = address.startsWith('/') ? `${apiBase}${address}` : address;
  if (!URL.canParse(whole) || !/^https?:$/.test(new URL(whole).protocol)) {
    throw new Error(
      `"${text}" is not a URL that can be stubbed. Use https://api.example.com/v1, POST https://api.example.com/v1, ` +
        `https://*.example.com, or a path of the platform's API such as /spaces/*.`,
    );
  }
  const { origin, host, pathname, searchParams } = new URL(whole);
  const base = `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  const pattern = new RegExp(`^${base.split('*').map(escape).join('[^/?]+')}(?:/|$)`);
  const query = [...searchParams];
  const wildcards = base.split('*').length - 1;
  return {
    matches(request) {
      if (method !== undefined && method !== request.method) return false;
      const { origin, pathname, searchParams } = new URL(request.url);
      if (!pattern.test(`${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`)) return false;
      return query.every(([name, value]) => searchParams.getAll(name).includes(value));
    },
    weight: [host.includes('*') ? 0 : 1, base.length - wildcards, query.length, method === undefined ? 0 : 1],
  };
}

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** If two stubs are equally specific, the newer one wins. */
const heavier = (best: Stub | undefined, next: Stub): Stub => {
  if (!best) return next;
  const differs = next.address.weight.findIndex((weight, index) => weight !== best.address.weight[index]);
  if (differs === -1) return next;
  return (next.address.weight[differs] ?? 0) > (best.address.weight[differs] ?? 0) ? next : best;
};

const unlessAborted = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
