import { errorMessage } from '../base/text/error-message.js';
import { tokenReroutes } from '../emulator/index.js';
import type { Clock } from '../base/clock.js';
import { runOutsideScopes } from '../sandbox/index.js';
import { createStubs, type Stubs } from './outside/stubs.js';
import type { TestPlatformOptions } from './test-platform.js';
import type { TestRequest } from './outside/outside-types.js';

type Fetch = (request: Request) => Promise<Response>;

/** Receives all requests that the script and webhooks send. */
export interface OutsideWorld extends Pick<Stubs, 'endHanging' | 'end'> {
  stub: Stubs['add'];
  /** The script's `fetch`. */
  scriptFetch: typeof fetch;
  /** The `fetch` that webhooks use. */
  send: Fetch;
  /** If set, the provider's token endpoint returns it. */
  tokenResponse: (() => Response) | undefined;
  requests: TestRequest[];
  /** Problems that make `close()` fail: requests without a stub, and stubs without a response. */
  failures: string[];
}

interface Outside {
  clock: Clock;
  /** The public port. */
  origin: string;
  consoleOrigin: string;
  unstubbed: NonNullable<TestPlatformOptions['unstubbed']>;
  /** Returns the platform port that a URL belongs to. */
  platformAt(url: string): Fetch | undefined;
}

export function createOutsideWorld(options: Outside): OutsideWorld {
  const { clock, origin, consoleOrigin, unstubbed, platformAt } = options;
  const failures: string[] = [];
  const stubs = createStubs(`${origin}/api/v1`, (message) => failures.push(message));
  const reroutes = tokenReroutes(consoleOrigin);

  const unmatched: Fetch = async (request) => {
    if (unstubbed === 'pass') return runOutsideScopes(() => globalThis.fetch(request));
    const message = `No stub matches ${request.method} ${request.url}. ${adviceFor(request.url)}`;
    if (unstubbed === 'fail') failures.push(message);
    throw new TypeError(message);
  };
  const send: Fetch = (request) => stubs.respond(request) ?? (platformAt(request.url) ?? unmatched)(request);

  /**
   * Requests that contain the built-in provider's codes or tokens go to its token endpoint, no matter which URL the script
   * uses.
   */
  const sendGrant = (request: Request, text: string): Promise<Response> | undefined => {
    const reroute = reroutes.find(({ marker }) => text.includes(marker));
    if (request.method !== 'POST' || !reroute) return undefined;
    const given = world.tokenResponse?.();
    if (given) return Promise.resolve(given);
    const { headers, signal } = request;
    return (
      stubs.respond(request) ??
      platformAt(reroute.url)?.(new Request(reroute.url, { method: 'POST', headers, signal, body: text }))
    );
  };

  const scriptFetch: typeof fetch = async (input, init) => {
    const made = new Request(input, init);
    if (platformAt(made.url)) return send(made);
    const time = clock.now();
    const bytes = made.body && (await made.arrayBuffer());
    const text = bytes ? new TextDecoder().decode(bytes) : '';
    const { method, url, headers } = made;
    const request = bytes ? new Request(made, { method, body: bytes }) : made;
    const entry: TestRequest = {
      method,
      url,
      headers: Object.fromEntries(headers),
      body: text,
      status: 0,
      time,
    };
    world.requests.push(entry);
    try {
      const response = await (sendGrant(request, text) ?? send(request));
      entry.status = response.status;
      return response;
    } catch (error) {
      entry.error = errorMessage(error);
      throw error;
    }
  };

  const world: OutsideWorld = {
    stub: stubs.add,
    endHanging: stubs.endHanging,
    end: stubs.end,
    scriptFetch,
    send,
    tokenResponse: undefined,
    requests: [],
    failures,
  };
  return world;
}

const adviceFor = (url: string): string =>
  `Add one: platform.stub('${new URL(url).origin}', () => Response.json({})).`;
