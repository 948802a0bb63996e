import { callScript, checkScript, createBackground, type ScriptModule } from '../../script/call-script.js';
import { moveDate } from '../../script/replace-date.js';
import { definedIds } from '../../script/defined-ids.js';
import { createScope, currentScope, endScope, nextRequest, runInScope } from '../../observe/call-scope.js';
import { noticeStandIns } from '../../observe/notice-stand-ins.js';
import { BACKGROUND, LOAD_FAILED } from '../line-mark.js';
import type { OutboundHead, WorkerHead, WorkerSettings } from '../worker-protocol.js';
import { observeConsole } from './observe-console.js';
// @ts-expect-error: a module of workerd's configuration
import settings from 'settings.json';

/** The author's script. workerd's configuration uses the same name. */
const SCRIPT = 'script.mjs';

/** Saved before a script can replace these functions. */
const { Response } = globalThis;
const { key, version } = settings as WorkerSettings;

const { write, countDropped } = observeConsole(console);
attributeFetch(key);
noticeStandIns((text) => console.warn(text));
const reportError = (...values: unknown[]): void => console.error(...values);
addEventListener('unhandledrejection', (event) => reportError('Unhandled promise rejection:', event.reason));
const navigator = Object.freeze({ userAgent: `Platform/${version}` });
Object.defineProperty(globalThis, 'navigator', { value: navigator, writable: true, configurable: true });

const background = createBackground(reportError);
let script: ScriptModule | undefined;
try {
  // Must be the first await, because workerd runs the script's top-level await only at that point.
  script = checkScript(((await import(SCRIPT)) as { default?: unknown }).default);
} catch (error) {
  write('error', LOAD_FAILED, [error]);
}

/** Adds the call id to each outbound request and to any redirects that follow it. */
function attributeFetch(key: string): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const scope = currentScope();
    const redirect = init?.redirect ?? (input instanceof Request ? input.redirect : 'follow');
    const cf: OutboundHead = { key, number: nextRequest(scope), redirect, ...(scope && { call: scope.id }) };
    return fetch(input, { ...init, cf } as RequestInit);
  };
}

interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** Runs the script for a call, as the Node runtime's child process does. */
async function serve(
  id: string,
  request: Request,
  worker: WorkerContext,
  callee: ScriptModule,
): Promise<Response> {
  const scope = createScope(id);
  countDropped(scope);
  const { context, settled } = background.context((number, span) =>
    write('debug', `${BACKGROUND}${id}`, [JSON.stringify({ number, ...span })]),
  );
  const waitUntil = (work: unknown): void => {
    context.waitUntil(work);
    worker.waitUntil(settled());
  };
  const response = await runInScope(scope, () =>
    callScript({ script: callee, request, context: { ...context, waitUntil }, reportError }),
  );
  void settled().then(() => runInScope(scope, () => endScope(scope)));
  return response;
}

export default {
  async fetch(request: Request & { cf?: WorkerHead }, _env: unknown, worker: WorkerContext) {
    const { cf } = request;
    if (cf?.key !== key) return new Response('', { status: 403 });
    if (cf.order === 'load')
      return Response.json(script ? { ids: definedIds(script) } : {}, { status: script ? 200 : 500 });
    if (cf.order === 'drain') return Response.json({ pending: background.pending() });
    if (cf.order === 'ping' || !script) return new Response('');
    Object.defineProperty(request, 'cf', { value: undefined });
    moveDate(cf.ahead);
    return serve(cf.call ?? '', request, worker, script);
  },
};
