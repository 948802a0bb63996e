import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { VirtualClock } from '../base/clock.js';
import { packageFolder } from '../base/package-files.js';
import {
  createInProcessHost,
  requireRuntime,
  runtimes,
  ProcessPool,
  ScriptRunner,
  type ScriptHost,
} from '../sandbox/index.js';
import type { ScriptLog, ScriptObserver } from '../sandbox/script/script-host.js';
import { buildScript, loadScript, type LoadedScript, type TestProject } from './read-test-project.js';
import type { TestPlatformOptions } from './test-platform.js';

/** Runs a test's script. */
export interface TestHost extends ScriptHost {
  /** Loads the script once the platform exists, because the platform records the script's logs. */
  start(): Promise<void>;
  /** Uses the new version's script from now on. */
  replace(project: TestProject, options: TestPlatformOptions): Promise<void>;
  settled(): Promise<void>;
  /** Abandons calls that never end. */
  release(): void;
  close(): Promise<void>;
}

interface HostParts {
  clock: VirtualClock;
  observer: ScriptObserver;
  fetch: typeof globalThis.fetch;
  rejected(call: string | undefined, error: unknown): void;
}

const scriptOf = async ({ integration }: TestPlatformOptions, project: TestProject): Promise<LoadedScript> =>
  integration ? { integration } : loadScript(project);

export async function createTestHost(
  options: TestPlatformOptions,
  project: TestProject,
  parts: HostParts,
): Promise<TestHost> {
  if (options.runtime === 'workerd') return createWorkerdHost(options, project, parts);
  let script = await scriptOf(options, project);
  const { observer } = parts;
  const log = (entry: ScriptLog): void =>
    observer.log({ ...entry, text: script.toSource?.(entry.text) ?? entry.text });
  const host = createInProcessHost({ ...script, ...parts, observer: { ...observer, log } });
  return {
    ...host,
    start: async () => {},
    scriptBytes: () => script.bytes,
    async replace(next, nextOptions) {
      script = await scriptOf(nextOptions, next);
      host.replace(script.integration);
    },
  };
}

/**
 * The log format for a rejected promise: the platform's format, and the SDK's format if the script passed the promise to
 * `context.waitUntil`.
 */
const rejection =
  /^(?:A promise passed to waitUntil was rejected:|\[integrations\] waitUntil failed) (?:(\w*Error): )?(.*)/;

async function createWorkerdHost(
  options: TestPlatformOptions,
  project: TestProject,
  { observer, fetch, rejected }: HostParts,
): Promise<TestHost> {
  if (options.integration) throw new Error(notAnObject);
  const own = fileURLToPath(packageFolder);
  const runtime = requireRuntime(
    'workerd',
    await runtimes.workerd.find({
      ...project.compatibility,
      folder: project.folder,
      package: { folder: own, version: 'test' },
      fetch,
    }),
    project.folder,
  );
  const runner = new ScriptRunner({
    processes: new ProcessPool({ folder: tmpdir(), runtime }),
    observer: {
      ...observer,
      log(entry) {
        const [, name = 'Error', message = ''] = rejection.exec(entry.text) ?? [];
        if (rejection.test(entry.text))
          rejected(entry.callId, Object.assign(new Error(message), { name, stack: entry.text }));
        observer.log(entry);
      },
    },
  });
  const load = async (next: TestProject, { integration }: TestPlatformOptions): Promise<void> => {
    if (integration) throw new Error(notAnObject);
    const nodeModules = runtimes.workerd.allowsNodeModules(next.compatibility.compatibilityFlags);
    const built = await buildScript(next, { nodeModules });
    await runner.load(built);
  };
  return {
    call: (call) => runner.call(call),
    raw: (id, request) => runner.raw(id, request),
    replace: load,
    scriptBytes: () => runner.scriptBytes(),
    async start() {
      try {
        await load(project, options);
      } catch (error) {
        await runner.close();
        throw error;
      }
    },
    settled: () => runner.settled(),
    release: () => void runner.close(),
    close: () => runner.close(),
  };
}

const notAnObject =
  'An integration that is passed as an object runs in the test\'s process, so it cannot run in workerd. Leave out "integration" to build the script in the manifest and run it in workerd.';
