import { internalError } from '../../protocol/exposable-error.js';
import { errorMessage } from '../../base/text/error-message.js';
import type { BackgroundSpan } from '../../protocol/log-and-outbound-types.js';
import type { Clock } from '../../base/clock.js';

export interface ScriptContext {
  waitUntil(promise: unknown): void;
  passThroughOnException(): void;
  /** Defaults to the system clock. */
  clock?: Clock;
  /**
   * Called with the rejection reason when a promise passed to `waitUntil` rejects, even if the script has handled the
   * rejection.
   */
  rejected?(error: unknown, work: Promise<unknown>): void;
  /** Returns the position where a function is defined, as a stack line preceded by a line break. */
  placeOf?(handler: unknown): string | undefined;
}

/** A script's default export: what `createIntegration()` returns, or any object with `fetch`. */
export interface ScriptModule {
  fetch(request: Request, env?: unknown, context?: ScriptContext): Promise<Response> | Response;
}

const isScript = (value: unknown): value is ScriptModule =>
  typeof value === 'object' && value !== null && typeof (value as Partial<ScriptModule>).fetch === 'function';

/** Returns the script's default export. Throws an error that explains why if the export cannot be used. */
export function checkScript(defaultExport: unknown): ScriptModule {
  if (isScript(defaultExport)) return defaultExport;
  throw new TypeError(
    'The script has no default export with a `fetch` method. End it with `export default createIntegration({ … })`.',
  );
}

/** Writes to the script's own log, like `console.error`. */
export type ReportError = (...values: unknown[]) => void;

interface Call {
  script: ScriptModule;
  request: Request;
  context: ScriptContext;
  reportError: ReportError;
}

/** Saved because a script may replace the global later, and a body from another Response class could not be sent. */
const { Response } = globalThis;

/** Returns the script's response. Errors that the script throws are only logged. */
export async function callScript({ script, request, context, reportError }: Call): Promise<Response> {
  try {
    const response: unknown = await script.fetch(request, {}, context);
    if (response instanceof Response && response.status !== 0) return response;
    const place = context.placeOf?.(script.fetch) ?? '';
    reportError("The script's `fetch` did not return a Response, but", response, place);
  } catch (error) {
    reportError(error);
  }
  return internalErrorResponse();
}

/** The response when a script has failed. The reason is only in the script's log. */
export const internalErrorResponse = (): Response => Response.json({ error: internalError }, { status: 500 });

/** Reports the n-th promise that a call passes to `waitUntil`, and again when it settles. */
type ReportBackground = (number: number, span: BackgroundSpan) => void;

const MAX_REPORTED = 100;
const LONGEST_REASON = 4096;

/** Tracks promises that scripts pass to `waitUntil`. */
export function createBackground(
  reportError: ReportError,
  rejected: (error: unknown) => void = () => {},
  now: () => number = Date.now,
) {
  const all = new Set<Promise<void>>();
  /** Promises whose rejection the script has handled itself, each with the rejection reason. */
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
      reportError('A promise passed to waitUntil was rejected:', error);
      return failed(error);
    }
  };

  return {
    /** Creates the context for a call. `settled` resolves when all of the call's work is done. */
    context(report: ReportBackground): { context: ScriptContext; settled(): Promise<void> } {
      const own = new Set<Promise<void>>();
      let count = 0;
      return {
        context: {
          waitUntil(work) {
            const time = now();
            const number = count++;
            const reportSpan = (span: BackgroundSpan): void => {
              if (number < MAX_REPORTED) report(number, span);
            };
            reportSpan({ time });
            const settled = settle(work).then((end) => {
              reportSpan({ time, durationMs: now() - time, ...end });
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

/** Work may start more work, so this loops until none is left. */
async function allOf(work: Set<Promise<void>>): Promise<void> {
  while (work.size > 0) await Promise.all(work);
}
