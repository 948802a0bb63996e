import { createEmulator, tokenReroutes, type Emulator } from '../emulator/index.js';
import type { VirtualClock } from '../base/clock.js';
import type { IntegrationScript } from '../runtime/index.js';
import { createInProcessHost, createReroutingFetch } from '../sandbox/index.js';
import { createMemoryStore } from '../store/store.js';
import type { TestProject } from './read-test-project.js';
import type { TestLog, TestRequest } from './test-platform.js';

/** An emulator, the script that it calls, and what stands for the rest of the world. */
export interface LocalWorld {
  emulator: Emulator;
  /** Both ports of the platform, and the stubs. */
  fetch(request: Request): Promise<Response>;
  stub: Stubs['add'];
  logs: TestLog[];
  outbound: TestRequest[];
  settled(): Promise<void>;
  close(): Promise<void>;
}

const origin = 'http://127.0.0.1:4100';
const consoleOrigin = 'http://127.0.0.1:4101';

export async function createLocalWorld(
  script: IntegrationScript,
  { integration, workspace }: TestProject,
  clock: VirtualClock,
): Promise<LocalWorld> {
  const stubs = createStubs();
  const platformAt = (url: string): LocalWorld['fetch'] | undefined => {
    if (url.startsWith(`${origin}/`)) return emulator.fetch;
    return url.startsWith(`${consoleOrigin}/`) ? emulator.fetchConsole : undefined;
  };
  const localFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    return (platformAt(request.url) ?? stubs.fetch)(request);
  };
  const host = createInProcessHost({
    integration: script,
    clock,
    observer: {
      mask: (text) => emulator.observer.mask(text),
      log: (entry) => emulator.observer.log(entry),
      outbound: (entry) => emulator.observer.outbound(entry),
    },
    fetch: createReroutingFetch(localFetch, () => tokenReroutes(consoleOrigin)),
  });
  const store = createMemoryStore(clock);
  const emulator: Emulator = createEmulator({
    integration,
    workspace,
    host,
    store,
    clock,
    origin,
    consoleOrigin,
    noInstall: true,
    oauthProvider: 'local',
    // Hidden in all that is logged, so it is no word.
    token: crypto.randomUUID(),
    platformVersion: 'test',
    fetch: localFetch,
  });

  const logs: TestLog[] = [];
  const outbound: TestRequest[] = [];
  emulator.subscribe((event) => {
    if (event.type === 'log') logs.push({ level: event.line.level, text: event.line.text });
    if (event.type === 'outbound' && !platformAt(event.request.url)) outbound.push(event.request);
  });
  await emulator.start();

  const settled = async (): Promise<void> => {
    await host.settled();
    await emulator.settled();
    await emulator.webhooks.use((dispatcher) => dispatcher.idle());
  };
  return {
    emulator,
    fetch: localFetch,
    stub: stubs.add,
    logs,
    outbound,
    settled,
    async close() {
      await settled();
      await emulator.close();
      await host.close();
      await store.close();
    },
  };
}

type Answer = (request: Request) => Response | Promise<Response>;

interface Stubs {
  add(address: string, answer: Answer): void;
  /** Like `fetch`, to a world in which nothing but the stubs exists. */
  fetch(request: Request): Promise<Response>;
}

function createStubs(): Stubs {
  const stubs = new Map<string, Answer>();
  return {
    add: (address, answer) => stubs.set(normalise(address), answer),
    async fetch(request) {
      const asked = normalise(request.url);
      const match = [...stubs]
        .filter(([address]) => isBelow(asked, address))
        .sort(([a], [b]) => b.length - a.length)[0];
      if (match) return match[1](request);
      const { origin } = new URL(request.url);
      throw new TypeError(
        `Tests reach no network, and nothing answers ${request.method} ${asked}. ` +
          `Say what should: platform.stub('${origin}', () => Response.json({})).`,
      );
    },
  };
}

const normalise = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

const isBelow = (asked: string, address: string): boolean =>
  asked === address || asked.startsWith(`${address}/`);
