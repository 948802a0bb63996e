import { systemClock, type SystemClock } from '../base/clock.js';
import { encodeEnvelope } from '../protocol/envelope/encode-envelope.js';
import { createScope, currentScope, endScope, runInScope } from './observe/call-scope.js';
import { describeAll } from './observe/describe-error.js';
import { callScript, createBackground, type ScriptModule } from './script/call-script.js';
import { observeGlobals } from './observe/observe-globals.js';
import { createMaskedOutput } from './observe/mask-script-output.js';
import type { ScriptHost, ScriptObserver } from './script/script-host.js';

export interface InProcessHostOptions {
  /** The script's default export. */
  integration: ScriptModule;
  observer: ScriptObserver;
  clock?: SystemClock;
  /** Replaces the script's `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Called with the rejection reason of a promise passed to `waitUntil`. */
  rejected?: (callId: string | undefined, error: unknown) => void;
}

export interface InProcessHost extends ScriptHost {
  /** Uses a different script for all later calls. */
  replace(integration: ScriptModule): void;
  /** Resolves when all `waitUntil` work is done. */
  settled(): Promise<void>;
  /** Restores the globals, without waiting for work that never ends. */
  release(): void;
  close(): Promise<void>;
}

/** Runs the script in this process, without a child process, a socket or isolation. Only for tests. */
export function createInProcessHost(options: InProcessHostOptions): InProcessHost {
  const { observer, clock = systemClock, fetch, rejected } = options;
  let { integration } = options;
  const output = createMaskedOutput(observer, clock, () => clock.now());
  const reportError = (...values: unknown[]): void =>
    output.log({ callId: currentScope()?.id, level: 'error', text: describeAll(values), time: clock.now() });
  const background = createBackground(
    reportError,
    (error) => rejected?.(currentScope()?.id, error),
    () => clock.now(),
  );
  let released = false;
  const release = (): void => {
    if (!released) globals.release();
    released = true;
  };
  const globals = observeGlobals({ output, clock, fetch });

  const raw = async (id: string, request: Request): Promise<Response> => {
    const scope = createScope(id);
    const { context, settled } = background.context((number, span) =>
      output.background({ callId: id, number, ...span }),
    );
    globals.own(scope);
    const response = await runInScope(scope, () =>
      callScript({
        script: integration,
        request,
        context: {
          ...context,
          clock,
          rejected(error, work) {
            context.rejected?.(error, work);
            rejected?.(id, error);
          },
        },
        reportError,
      }),
    );
    void settled().then(() => endScope(scope));
    return response;
  };

  return {
    raw,
    call({ id, event, environment, body, signal }) {
      const envelope = encodeEnvelope({ event, environment, ...(body && { body }) });
      const init = {
        method: 'POST',
        headers: { 'content-type': envelope.contentType },
        body: envelope.body as BodyInit,
        duplex: 'half',
        ...(signal && { signal }),
      };
      return raw(id, new Request('http://localhost/v1', init));
    },
    replace(next) {
      integration = next;
    },
    settled: background.settled,
    release,
    async close() {
      await background.settled();
      release();
    },
  };
}
