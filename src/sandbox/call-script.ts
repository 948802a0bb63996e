import { internalError } from '../protocol/exposable-error.js';
import type { Clock } from '../base/clock.js';

export interface ScriptContext {
  waitUntil(promise: unknown): void;
  passThroughOnException(): void;
  /** Where it is not the system's. */
  clock?: Clock;
  /** Gets what work given to `waitUntil` was rejected with, if the script has caught it itself. */
  rejected?(error: unknown): void;
}

/** A script's default export: what `createIntegration()` returns, or any object with `fetch`. */
export interface ScriptModule {
  fetch(request: Request, env?: unknown, context?: ScriptContext): Promise<Response> | Response;
}

const isScript = (value: unknown): value is ScriptModule =>
  typeof value === 'object' && value !== null && typeof (value as Partial<ScriptModule>).fetch === 'function';

/** The script's default export, or an error that says what is wrong with it. */
export function checkScript(defaultExport: unknown): ScriptModule {
  if (isScript(defaultExport)) return defaultExport;
  throw new TypeError(
    'The script has no default export with a `fetch` method: end it with `export default createIntegration({ … })`.',
  );
}

/** Says something about the script in its own log; called as `console.error` is. */
export type ReportError = (...values: unknown[]) => void;

interface Call {
  script: ScriptModule;
  request: Request;
  context: ScriptContext;
  complain: ReportError;
}

/** Taken before a script can replace it: another class has no body that could be sent. */
const { Response } = globalThis;

/** The script's answer; what it throws goes to the log alone. */
export async function callScript({ script, request, context, complain }: Call): Promise<Response> {
  try {
    const response: unknown = await script.fetch(request, {}, context);
    if (response instanceof Response && response.status !== 0) return response;
    complain("The script's `fetch` gave no Response, but", response);
  } catch (error) {
    complain(error);
  }
  return Response.json({ error: internalError }, { status: 500 });
}

/** The work that scripts leave to be done after their answers. */
export interface Background {
  /** A context for one call, and when all work it was given is done. */
  context(): { context: ScriptContext; settled(): Promise<void> };
  settled(): Promise<void>;
  /** How many promises are open. */
  pending(): number;
}

export function createBackground(
  complain: ReportError,
  rejected: (error: unknown) => void = () => {},
): Background {
  const all = new Set<Promise<void>>();

  const settle = async (work: unknown): Promise<void> => {
    try {
      await work;
    } catch (error) {
      rejected(error);
      complain('A promise given to waitUntil was rejected:', error);
    }
  };

  return {
    context() {
      const own = new Set<Promise<void>>();
      return {
        context: {
          waitUntil(work) {
            const settled = settle(work).finally(() => {
              own.delete(settled);
              all.delete(settled);
            });
            own.add(settled);
            all.add(settled);
          },
          passThroughOnException() {},
        },
        settled: () => allOf(own),
      };
    },
    settled: () => allOf(all),
    pending: () => all.size,
  };
}

/** Work may bring more work: it is over when nothing is left. */
async function allOf(work: Set<Promise<void>>): Promise<void> {
  while (work.size > 0) await Promise.all(work);
}
