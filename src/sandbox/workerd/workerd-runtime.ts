import { systemClock, type Timers } from '../../base/clock.js';
import { createDeferred } from '../../base/deferred.js';
import { withTimeout } from '../../base/deadlines.js';
import { createCallNamingFetch } from '../observe/name-call.js';
import type { MaskedOutput } from '../observe/mask-script-output.js';
import { createRecordingFetch } from '../observe/recording-fetch.js';
import { disguiseRequest } from '../observe/disguise-request.js';
import { createMappedFetch } from '../observe/mapped-fetch.js';
import { refusedRequest } from '../observe/refused-request.js';
import { createReroutingFetch } from '../observe/rerouting-fetch.js';
import type { ScriptFile } from '../process/script-folder.js';
import type { Connected, ProcessParts, ScriptProcess, ScriptRuntime } from '../process/script-process.js';
import { createSourceFrames } from '../process/source-frame.js';
import { createStackMapper } from '../process/stack-map.js';
import type { DefinedIds, RequestParts } from '../script/script-host.js';
import { openInspectorPort, type InspectorPort } from './inspector-port.js';
import { startWorkerd, type RunningWorkerd, type WorkerdProgram } from './start-workerd.js';
import { createWorkerdLog, type WorkerdLog } from './workerd-log.js';

/** Runs scripts in workerd. Each build runs in a new process, so there are no standby processes. */
export const workerdRuntime = (program: WorkerdProgram, timers: Timers = systemClock): ScriptRuntime => ({
  start: (parts) => createWorkerdProcess(program, parts, timers),
});

/** How often to check for unfinished work before ending a process. */
const DRAIN_POLL_MS = 20;
/** How long to wait after the response for the log line with the load error. */
const LINE_MS = 1000;

const hiddenFrames = ['worker.mjs', 'node-internal:', 'cloudflare-internal:'];

/** The process starts only when the script is known, because workerd reads the code at startup. */
function createWorkerdProcess(program: WorkerdProgram, parts: ProcessParts, timers: Timers): ScriptProcess {
  const exited = createDeferred<string>();
  let started: { running: RunningWorkerd; log: WorkerdLog; output: MaskedOutput } | undefined;
  let ids: DefinedIds | undefined;
  let inspector: InspectorPort | undefined;
  let stopped: string | undefined;

  const kill = (why = 'the platform stopped it'): void => {
    stopped ??= why;
    if (started) started.running.kill();
    else exited.resolve(stopped);
  };

  const load = async (script: ScriptFile, { output, outbound, mask }: Connected): Promise<void> => {
    if (stopped !== undefined) throw endedWhileLoading(stopped);
    const toSource = createStackMapper({ file: 'script.mjs', map: script.map, hidden: hiddenFrames });
    const withFrame = createSourceFrames(script.map);
    const log = createWorkerdLog(output, { ...program, toSource, withFrame });
    const running = startWorkerd(program, {
      ...parts,
      script,
      takeLine: log.takeLine,
      fetch: fetchForScript(program, { outbound, mask, record: log.outbound }),
    });
    started = { running, log, output };
    void running.exited.then((how) => {
      void inspector?.close();
      exited.resolve(stopped ?? log.lastError() ?? how);
    });
    const loaded = await Promise.race([running.order('load').catch(() => exited.promise), exited.promise]);
    if (typeof loaded === 'string') {
      const error = log.lastError()?.replace(/^Uncaught /, '');
      throw stopped === undefined && error !== undefined ? new Error(error) : endedWhileLoading(loaded);
    }
    if (loaded.status !== 200)
      throw new Error(await withTimeout(timers, LINE_MS, log.loadFailed, 'The script failed.'));
    log.loaded();
    ({ ids } = JSON.parse(loaded.text) as { ids?: DefinedIds });
  };

  return {
    get pid() {
      return started?.running.pid;
    },
    ready: Promise.resolve(),
    warm: async () => {},
    load,
    definedIds: () => ids,
    isLost: () => started?.running.isOver() ?? false,
    request(call) {
      if (!started) throw new Error('No script is loaded.');
      started.log.begin(call.id);
      return started.running.call(call);
    },
    blocked: () => undefined,
    ping: async () =>
      void (await Promise.race([started?.running.order('ping').catch(() => exited.promise), exited.promise])),
    drain: () => (started ? drain(started.running, timers) : Promise.resolve()),
    openInspector(port) {
      const inner = started?.running.inspector;
      if (!started || !inner) return;
      const { output } = started;
      inspector = openInspectorPort(port, inner, ({ message }) =>
        output.line(
          'error',
          `Could not start the inspector: ${message}. Choose another port with --inspect <port>.`,
        ),
      );
    },
    closeInspector: async () => inspector?.close(),
    kill,
    async end() {
      kill();
      await exited.promise;
    },
    exited: exited.promise,
  };
}

const endedWhileLoading = (why: string): Error =>
  new Error(`The script's process ended while loading: ${why}.`);

interface Sending extends Pick<Connected, 'outbound' | 'mask'> {
  record: WorkerdLog['outbound'];
}

/** Returns the platform's own `fetch`, which sends all of the script's outbound requests. */
const fetchForScript = (
  { fetch = (...args) => globalThis.fetch(...args) }: WorkerdProgram,
  { outbound: { only, own, reroutes, details, map }, mask, record }: Sending,
): typeof globalThis.fetch => {
  // Each redirect is a separate request here.
  const single: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
  const named = createCallNamingFetch(limitedFetch(single, only, record), own);
  const disguise = (parts: RequestParts): RequestParts => disguiseRequest(parts, mask);
  const mapped = createMappedFetch({ fetch: named, map, disguise, followsRedirects: false });
  return createRecordingFetch({
    fetch: createReroutingFetch(named, reroutes, mapped),
    record,
    now: Date.now,
    details: () => details,
    // The connection may close while part of the body is still in workerd's buffers, so it is not known how much the
    // script has read.
    rest: { of: 'any', keep: () => {} },
  });
};

const limitedFetch =
  (
    fetch: typeof globalThis.fetch,
    only: string | undefined,
    record: WorkerdLog['outbound'],
  ): typeof globalThis.fetch =>
  async (input, init) => {
    const { origin, host } = new URL(input instanceof Request ? input.url : input);
    if (only === undefined || origin === only) return fetch(input, init);
    const { error, entry } = refusedRequest(host, init?.method ?? 'GET');
    record(entry);
    throw error;
  };

/** In workerd, a call cannot wait for another call's work, so this polls until no work is left. */
async function drain({ order, exited }: RunningWorkerd, timers: Timers): Promise<void> {
  for (;;) {
    const reply = await order('drain').catch(() => undefined);
    if (!reply || (JSON.parse(reply.text) as { pending: number }).pending === 0) return;
    await withTimeout(timers, DRAIN_POLL_MS, exited, 'running');
  }
}
