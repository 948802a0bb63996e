import { createEmulator, tokenReroutes, type Emulator } from '../emulator/index.js';
import type { VirtualClock } from '../protocol/clock.js';
import type { IntegrationScript } from '../runtime/index.js';
import { createInProcessHost, createReroutingFetch } from '../sandbox/index.js';
import { createMemoryStore } from '../store/memory-store.js';
import type { TestProject } from './read-project.js';
import { createStubs, type Stubs } from './stubs.js';
import type { TestLog, TestRequest } from './test-platform.js';

/** An emulator, the script that it calls, and what stands for the rest of the world. */
export interface LocalWorld {
  emulator: Emulator;
  stub: Stubs['add'];
  logs: TestLog[];
  outbound: TestRequest[];
  settled(): Promise<void>;
  close(): Promise<void>;
}

const origin = 'http://127.0.0.1:4100';

export async function createLocalWorld(
  script: IntegrationScript,
  { integration, workspace }: TestProject,
  clock: VirtualClock,
): Promise<LocalWorld> {
  const stubs = createStubs();
  const isLocal = (url: string): boolean => url.startsWith(`${origin}/`);
  const localFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    return isLocal(request.url) ? emulator.fetch(request) : stubs.fetch(request);
  };
  const host = createInProcessHost({
    integration: script,
    clock,
    observer: {
      log: (entry) => emulator.observer.log(entry),
      outbound: (entry) => emulator.observer.outbound(entry),
    },
    fetch: createReroutingFetch(localFetch, () => tokenReroutes(origin)),
  });
  const store = createMemoryStore();
  const emulator: Emulator = createEmulator({
    integration,
    workspace,
    host,
    store,
    clock,
    origin,
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
    if (event.type === 'outbound' && !isLocal(event.request.url)) outbound.push(event.request);
  });
  await emulator.start();

  const settled = async (): Promise<void> => {
    await host.settled();
    await emulator.settled();
    await emulator.webhooks.use((dispatcher) => dispatcher.idle());
  };
  return {
    emulator,
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
