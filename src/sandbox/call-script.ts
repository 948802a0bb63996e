import { internalError } from '../protocol/exposable-error.js';
import { errorMessage } from '../base/text/error-message.js';
import type { BackgroundSpan } from '../protocol/log-and-outbound-types.js';
import type { Clock } from '../base/clock.js';

export interface ScriptContext {
  waitUntil(promise: unknown): void;
  passThroughOnException(): void;
  /** Where it is not the system's. */
  clock?: Clock;
  /** Gets what work given to `waitUntil` was rejected with, if the script has caught it itself. */
  rejected?(error: unknown, work: Promise<unknown>): void;
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

/** Reports the n-th promise of a call when it is given to `waitUntil`, and when it is settled. */
type ReportBackground = (number: number, span: BackgroundSpan) => void;

const MOST_REPORTED = 100;
const LONGEST_REASON = 4096;

/** The work that scripts leave to be done after their answers. */
export interface Background {
  /** A context for one call, and when all work it was given is done. */
  context(report: ReportBackground): { context: ScriptContext; settled(): Promise<void> };
  settled(): Promise<void>;
  /** How many promises are open. */
  pending(): number;
}

export function createBackground(
  complain: ReportError,
  rejected: (error: unknown) => void = () => {},
  now: () => number = Date.now,
): Background {
  const all = new Set<Promise<void>>();
  /** Of promises whose rejection the script has caught itself. */
  const caught = new WeakMap<object, unknown>();
  const failed = (error: unknown): { error: string } => ({
    error: errorMessage(error).slice(0, LONGEST_REASON),
  });

  const settle = async (work: unknown): Promise<{ error?: string }> => {
    try {
      await work;
      return isObject(work) && caught.has(work) ? failed(caught.get(work)) : {};
    } catch (error) {
      rejected(error);
      complain('A promise given to waitUntil was rejected:', error);
      return failed(error);
    }
  };

  return {
    context(report) {
      const own = new Set<Promise<void>>();
      let count = 0;
      return {
        context: {
          waitUntil(work) {
            const time = now();
            const number = count++;
            const tell = (span: BackgroundSpan): void => {
              if (number < MOST_REPORTED) report(number, span);
            };
            tell({ time });
            const settled = settle(work).then((end) => {
              tell({ time, durationMs: now() - time, ...end });
              own.delete(settled);
              all.delete(settled);
            });
            own.add(settled);
            all.add(settled);
          },
          passThroughOnException() {},
          rejected: (error, work) => void caught.set(work, error),
        },
        settled: () => allOf(own),
      };
    },
    settled: () => allOf(all),
    pending: () => all.size,
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Work may bring more work: it is over when nothing is left. */
async function allOf(work: Set<Promise<void>>): Promise<void> {
  while (work.size > 0) await Promise.all(work);
}
