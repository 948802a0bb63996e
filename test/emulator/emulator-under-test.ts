import {
  openPlatform,
  openRecords,
  tokenReroutes,
  type Emulator,
  type EmulatorEvent,
  type PlatformOptions,
  type RecordsOptions,
} from '../../src/emulator/index.js';
import { createVirtualClock, type VirtualClock } from '../../src/base/clock.js';
import type { PlatformEvent } from '../../src/protocol/events.js';
import type { Integration } from '../../src/protocol/integration.js';
import { createInProcessHost, type ScriptModule } from '../../src/sandbox/index.js';
import { createCallNamingFetch } from '../../src/sandbox/observe/name-call.js';
import { createReroutingFetch } from '../../src/sandbox/observe/rerouting-fetch.js';
import type { ScriptCall, ScriptHost, ScriptObserver } from '../../src/sandbox/script/script-host.js';
import { createMemoryStore, type Store } from '../../src/store/store.js';
import { checkResponse } from '../support/check-response.js';

export const controlToken = 'the-token-of-this-start';

export const origin = 'http://127.0.0.1:4100';
export const consoleOrigin = 'http://127.0.0.1:41000';

export const integration: Integration = {
  name: 'sample',
  title: 'Sample',
  description: 'Does what samples do.',
  organization: 'local',
  visibility: 'private',
  scopes: [],
  script: 'src/index.ts',
  previewImages: [],
  categories: [],
  blocks: [],
  externalLinks: [],
  configurations: {},
  secrets: {},
  target: 'all',
  contentSources: [],
};

export interface Sample {
  emulator: Emulator;
  observer: ScriptObserver;
  store: Store;
  clock: VirtualClock;
  /** What the script was given, in order. */
  calls: ScriptCall[];
  happened: EmulatorEvent[];
  types(): string[];
  events(): PlatformEvent[];
  /** A path of the console or of the OAuth provider goes to the console port, any other to the public one. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** The console's API, with its token. */
  control<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body }>;
}

/** An emulator around a script in this process, with a clock that stands still. */
export function createSample(
  script: ScriptModule = { fetch: async () => new Response('OK') },
  options: Partial<RecordsOptions & PlatformOptions> & {
    outside?: (request: Request) => Promise<Response>;
  } = {},
): Sample {
  const calls: ScriptCall[] = [];
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const store = options.store ?? createMemoryStore(clock);
  const outside = options.outside ?? refuse;
  const localFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    return request.url.startsWith(origin) || request.url.startsWith(consoleOrigin)
      ? atPort(request)
      : outside(request);
  };
  /** Sends it to the port that its address names. */
  const atPort = (request: Request): Promise<Response> =>
    request.url.startsWith(`${consoleOrigin}/`) ? emulator.fetchConsole(request) : emulator.fetch(request);
  const records = openRecords({ store, clock, integration, token: controlToken, ...options });
  const host = createInProcessHost({
    integration: script,
    clock,
    observer: records.observer,
    fetch: createReroutingFetch(
      createCallNamingFetch(localFetch, `${origin}/`),
      tokenReroutes(consoleOrigin),
    ),
  });
  const seen: ScriptHost = {
    raw: host.raw,
    // Calls in this process cannot be ended, so one is invented.
    stop: (id) => id === 'running',
    call(call) {
      calls.push(call);
      return host.call(call);
    },
  };
  const emulator: Emulator = openPlatform(records, {
    host: seen,
    timers: clock,
    origin,
    consoleOrigin,
    platformVersion: '1.0.0',
    random: () => 0.5,
    fetch: (input, init) => outside(new Request(input, init)),
    ...options,
  });
  const happened: EmulatorEvent[] = [];
  emulator.subscribe((event) => happened.push(event));
  return {
    emulator,
    observer: records.observer,
    store,
    clock,
    calls,
    happened,
    types: () => calls.map(({ event }) => event.type),
    events: () => calls.map(({ event }) => event),
    get: (path, init) => atPort(new Request(path.startsWith('/') ? originOf(path) + path : path, init)),
    async control<Body>(method: string, path: string, body?: unknown) {
      const response = await emulator.fetchConsole(
        new Request(`${consoleOrigin}/console/api${path}`, {
          method,
          headers: { 'x-platform-token': controlToken },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const found: unknown = text === '' || !isJson ? undefined : JSON.parse(text);
      checkResponse({ method, path }, response, found);
      return { status: response.status, body: found as Body };
    },
  };
}

export async function startSample(...how: Parameters<typeof createSample>): Promise<Sample> {
  const sample = createSample(...how);
  await sample.emulator.start();
  return sample;
}

const originOf = (path: string): string => (/^[/](console|oauth)\b/.test(path) ? consoleOrigin : origin);

const refuse = (request: Request): Promise<Response> =>
  Promise.reject(new Error(`Nothing here may call ${request.url}.`));
