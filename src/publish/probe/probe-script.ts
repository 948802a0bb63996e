import { errorMessage } from '../../base/text/error-message.js';
import { openPlatform, openRecords, type Emulator } from '../../emulator/index.js';
import type { Manifest } from '../../manifest/index.js';
import { createVirtualClock } from '../../base/clock.js';
import type { Integration } from '../../protocol/integration.js';
import { createMemoryStore } from '../../store/store.js';
import { probeComponents } from './probe-components.js';
import type { ProbeHost, Script } from './probe-host.js';
import { probePaths } from './probe-paths.js';
import { describePath } from './probe-source.js';
import { sampleConfiguration } from './sample-configuration.js';
import { readThrownError } from '../../base/text/thrown-error.js';
import { watch } from './script-cause.js';
import type { Definition, ScriptFacts } from './script-facts.js';
import { targetOfSection, sectionsOf, statusIn } from './sections.js';

/** Installs the integration on a temporary platform, and records how the script behaves. */
export async function probeScript(
  script: Script,
  integration: Integration,
  host: ProbeHost,
  profile?: Manifest['profile'],
): Promise<ScriptFacts> {
  const clock = createVirtualClock();
  const records = openRecords({
    store: createMemoryStore(clock),
    clock,
    integration,
    token: crypto.randomUUID(),
    limits: { timeMs: respondsWithin },
  });
  const emulator = openPlatform(records, {
    host,
    timers: host.timers,
    origin: host.origin,
    consoleOrigin: host.origin,
    platformVersion: 'publish-check',
    noInstall: true,
  });
  host.serve(emulator);
  try {
    return await look(script, integration, host, emulator, profile);
  } finally {
    await emulator.close();
  }
}

async function look(
  script: Script,
  integration: Integration,
  host: ProbeHost,
  emulator: Emulator,
  profile: Manifest['profile'],
): Promise<ScriptFacts> {
  const nothing = { definition: undefined, renders: [], answers: [], statuses: {}, setup: { blocked: [] } };
  const cause = await host.load(script).then(
    () => undefined,
    (error: unknown) => readThrownError(errorMessage(error)),
  );
  if (cause) return { started: { ok: false, cause }, isIntegration: false, ...nothing };
  const { isIntegration, definition, took } = await describe(host, profile);
  const later = host.errors().find((text) => /^(Uncaught error|Unhandled promise rejection): /.test(text));
  const started = {
    ok: true,
    inTime: took <= startsWithin,
    ...(later !== undefined && { later: readThrownError(later) }),
  } as const;
  if (!isIntegration) return { started, isIntegration, ...nothing };

  const installation = await emulator.install();
  const statuses: ScriptFacts['statuses'] = {};
  const setup: ScriptFacts['setup'] = { blocked: [] };
  for (const section of sectionsOf(integration)) {
    const target = { installation, ...targetOfSection[section] };
    if (!emulator.environment(target)) continue;
    const set = sampleConfiguration(integration.configurations[section]);
    const { result: fired, blocked, cause } = await watch(host, () => emulator.configure(target, { set }));
    setup.blocked.push(...blocked);
    if (fired.outcome === 'failed')
      setup.problem ??= cause ?? { message: `It responds with ${fired.status}.` };
    const status = statusIn(section, emulator.environment(target));
    if (status !== undefined) statuses[section] = status;
  }

  const renders = await probeComponents(integration, installation, host, emulator);
  const answers = await probePaths(integration, installation, host, emulator);
  return { started, isIntegration, definition, renders, answers, statuses, setup };
}

/** The time limit for each response, in milliseconds. A response body may never end. */
const respondsWithin = 5_000;

/** The time limit for importing the script, in milliseconds. */
const startsWithin = 1_000;

interface Described {
  isIntegration: boolean;
  definition?: Definition;
  took: number;
}

async function describe(host: ProbeHost, profile: Manifest['profile']): Promise<Described> {
  const request = new Request(`${host.origin}${describePath}`, { method: 'OPTIONS' });
  const about = (await (await host.raw('describe', request)).json()) as Described;
  // The runtimes of other platforms reject such requests in their own ways.
  if (!about.isIntegration || profile) return about;
  // A script that handles envelopes rejects every method except POST.
  const refusal = await host.raw('get', new Request(`${host.origin}/v1`));
  await refusal.body?.cancel();
  return { ...about, isIntegration: refusal.status === 405 };
}
