import {
  createEmulator,
  type Emulator,
  type EmulatorEvent,
  type EmulatorOptions,
} from '../../src/emulator/index.js';
import { createVirtualClock, type VirtualClock } from '../../src/protocol/clock.js';
import { encodeEnvelope } from '../../src/protocol/envelope.js';
import type { PlatformEvent } from '../../src/protocol/events.js';
import type { Integration } from '../../src/protocol/integration.js';
import type { IntegrationScript } from '../../src/runtime/create-integration.js';
import type { ScriptCall, ScriptHost } from '../../src/sandbox/script-host.js';
import { createMemoryStore } from '../../src/store/memory-store.js';
import type { Store } from '../../src/store/store.js';

export const origin = 'http://127.0.0.1:4100';

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
  store: Store;
  clock: VirtualClock;
  /** What the script was given, in order. */
  calls: ScriptCall[];
  happened: EmulatorEvent[];
  /** Types of the events that the script got. */
  types(): string[];
  events(): PlatformEvent[];
  get(path: string, init?: RequestInit): Promise<Response>;
}

/** An emulator around a script in this process, with a clock that stands still. */
export function createSample(
  script: IntegrationScript = { fetch: async () => new Response('OK') },
  options: Partial<EmulatorOptions> & { observe?: (call: ScriptCall) => void } = {},
): Sample {
  const calls: ScriptCall[] = [];
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const store = options.store ?? createMemoryStore();
  const { observe, ...rest } = options;
  const host = createScriptHost(script, (call) => {
    calls.push(call);
    observe?.(call);
  });
  const emulator = createEmulator({ integration, host, store, clock, origin, ...rest });
  const happened: EmulatorEvent[] = [];
  emulator.subscribe((event) => happened.push(event));
  return {
    emulator,
    store,
    clock,
    calls,
    happened,
    types: () => calls.map(({ event }) => event.type),
    events: () => calls.map(({ event }) => event),
    get: (path, init) => emulator.fetch(new Request(path.startsWith('/') ? origin + path : path, init)),
  };
}

function createScriptHost(script: IntegrationScript, seen: (call: ScriptCall) => void): ScriptHost {
  return {
    async call(call) {
      seen(call);
      const { contentType, body } = encodeEnvelope(call);
      const init: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        headers: { 'Content-Type': contentType },
        body: body as BodyInit,
        duplex: 'half',
      };
      return script.fetch(new Request('http://script/v1', init));
    },
    raw: (_id, request) => script.fetch(request),
  };
}
