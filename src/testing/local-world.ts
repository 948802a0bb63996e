import { join } from 'node:path';
import { chooseLimits, openPlatform, openRecords, type Emulator } from '../emulator/index.js';
import type { Timers, VirtualClock } from '../base/clock.js';
import { withTimeout } from '../base/deadlines.js';
import { defaultTimeoutMs } from '../sandbox/index.js';
import { createMemoryStore } from '../store/store.js';
import { createOutsideWorld, type OutsideWorld } from './outside-world.js';
import { errorOfEntry, listCalls } from './recorded-calls.js';
import { openTestPages, type TestPages } from './page/open-test-pages.js';
import { createTestHost } from './script-hosts.js';
import type { TestProject } from './read-test-project.js';
import type { TestCall, TestLog, TestPlatformOptions, TestRejection } from './test-platform.js';

/** An emulator, the script it calls, and a substitute for the network. */
export interface LocalWorld {
  emulator: Emulator;
  outside: OutsideWorld;
  /** The URL of the public endpoints. */
  origin: string;
  /** The URL of the console and the built-in provider. */
  consoleOrigin: string;
  /** Both ports of the platform. */
  visit(request: Request): Promise<Response>;
  pages: TestPages | undefined;
  /** Uses a different script, as a new version, for all later calls. */
  upgrade(project: TestProject, options: TestPlatformOptions): Promise<void>;
  calls(): TestCall[];
  /** Returns why a call failed. */
  errorOf(call: string): string | undefined;
  logs: TestLog[];
  /** Rejected background work, and the call that started it. */
  rejections: (TestRejection & { call: string | undefined })[];
  settled(): Promise<void>;
  close(): Promise<void>;
}

const origin = 'http://127.0.0.1:4100';
const consoleOrigin = 'http://127.0.0.1:4101';
const siteOrigin = 'http://127.0.0.1:4102';

const stillRunning = 'Work that the script passed to waitUntil was still running a second after the test.';

/** How long a test waits for background work to finish. */
const patienceMs = 1000;

export async function createLocalWorld(
  options: TestPlatformOptions,
  project: TestProject,
  {
    clock,
    timers,
    unstubbed,
  }: { clock: VirtualClock; timers: Timers; unstubbed: NonNullable<TestPlatformOptions['unstubbed']> },
): Promise<LocalWorld> {
  const platformAt = (url: string): LocalWorld['visit'] | undefined => {
    if (url.startsWith(`${origin}/`)) return emulator.fetch;
    return url.startsWith(`${consoleOrigin}/`) ? emulator.fetchConsole : undefined;
  };
  const outside = createOutsideWorld({ clock, origin, consoleOrigin, unstubbed, platformAt });
  const rejections: LocalWorld['rejections'] = [];
  const store = createMemoryStore(clock);
  const limits = chooseLimits(project.limits, defaultTimeoutMs);
  const records = openRecords({
    store,
    clock,
    integration: project.integration,
    workspace: project.workspace,
    limits,
    // This value is masked in all logs, so it must not be an ordinary word.
    token: crypto.randomUUID(),
  });
  const host = await createTestHost(options, project, {
    clock,
    observer: records.observer,
    fetch: outside.scriptFetch,
    rejected: (call, error) => rejections.push({ call, error }),
  });
  const pages = options.content === undefined ? undefined : await openTestPages(options.content, clock);
  const [firstSpace] = project.workspace.spaces;
  const emulator: Emulator = openPlatform(records, {
    host,
    ...(pages && { mount: (space, ids) => (space === firstSpace?.id ? pages.mount(space, ids) : undefined) }),
    // A test reaches a time limit by advancing its clock, so no real timer is started.
    timers: clock,
    origin,
    consoleOrigin,
    siteOrigin,
    publicFolder: join(project.folder, 'public'),
    noInstall: true,
    platformVersion: 'test',
    fetch: (input, init) => outside.send(new Request(input, init)),
  });

  const logs = collectLogs(emulator);
  await host.start();
  await emulator.start();
  if (firstSpace) await emulator.content(firstSpace.id)?.ready;

  const settled = async (): Promise<void> => {
    await host.settled();
    await emulator.settled();
    await emulator.webhooks.use((dispatcher) => dispatcher.idle());
  };
  return {
    emulator,
    outside,
    pages,
    origin,
    consoleOrigin,
    async visit(request) {
      const port = platformAt(request.url);
      if (!port) throw new Error(`${request.url} is not an address of the platform.`);
      return port(request);
    },
    async upgrade(next, nextOptions) {
      await host.replace(next, nextOptions);
      emulator.reload(next.integration);
    },
    calls: () => listCalls(store.callLog, { limits, folder: project.folder }),
    errorOf: (call) => errorOfEntry(store.callLog.get(call), project.folder),
    logs,
    rejections,
    settled,
    async close() {
      pages?.close();
      outside.endHanging();
      if (!(await endsInTime(timers, settled()))) outside.end();
      if (!(await endsInTime(timers, settled()))) {
        outside.failures.push(stillRunning);
        host.release();
        return;
      }
      await emulator.close();
      await host.close();
      await store.close();
    },
  };
}

function collectLogs(emulator: Emulator): TestLog[] {
  const logs: TestLog[] = [];
  emulator.subscribe((event) => {
    if (event.type === 'log') logs.push({ level: event.line.level, text: event.line.text });
  });
  return logs;
}

const endsInTime = (timers: Timers, work: Promise<void>): Promise<boolean> =>
  withTimeout(
    timers,
    patienceMs,
    work.then(() => true),
    false,
  );
