import { parseJson } from '../base/parse-json.js';
import type { ScriptRunner } from '../sandbox/index.js';
import type { ScriptHost } from '../sandbox/script/script-host.js';
import type { RememberedHandlers } from './remembered-handlers.js';

/** How many scripts of a session have a process, and how many are started at the same time. */
const mostAwake = 8;
const mostStarting = 2;

export type AwakeLimit = ReturnType<typeof createAwakeLimit>;

interface Sleeper {
  isBusy(): boolean;
  sleep(): Promise<void>;
}

/** Limits how many scripts are awake. The one that has not been used for longest has to sleep. */
export function createAwakeLimit(most = mostAwake) {
  /** The most recently used one is last. */
  const awake = new Set<Sleeper>();
  const waiting: (() => void)[] = [];
  let starting = 0;
  let closed = false;
  return {
    use(sleeper: Sleeper): void {
      if (awake.delete(sleeper)) awake.add(sleeper);
    },
    async start(sleeper: Sleeper, start: () => Promise<void>): Promise<void> {
      if (starting < mostStarting) starting += 1;
      else await new Promise<void>((begin) => waiting.push(begin));
      try {
        if (closed) return;
        awake.add(sleeper);
        await start();
        for (const one of awake) {
          if (awake.size <= most) break;
          if (one === sleeper || one.isBusy()) continue;
          awake.delete(one);
          await one.sleep();
        }
      } finally {
        // The latest comes first, because someone may be waiting for it. The first start of all integrations is not urgent.
        const next = waiting.pop();
        if (next) next();
        else starting -= 1;
      }
    },
    /** From now on, no script is started. */
    close(): void {
      closed = true;
      for (const begin of waiting.splice(0)) begin();
    },
  };
}

const noHandlerText = (type: string): string => `Integration does not handle "${type}" events`;

const noHandler = (type: string): Response => Response.json({ error: noHandlerText(type) }, { status: 406 });

/** Whether a script rejected an event as this package and those of other platforms do without a handler. */
const isNoHandler = async (response: Response, type: string): Promise<boolean> =>
  response.status === 406 &&
  (parseJson(await response.clone().text(), {}) as { error?: unknown }).error === noHandlerText(type);

/** A script that is built and started when it is first called or saved, but not for an event that it does not handle. */
export function createSleepingScript(
  runner: ScriptRunner,
  limit: AwakeLimit,
  handlers: Pick<RememberedHandlers, 'ids' | 'lack' | 'learn'>,
) {
  let calls = 0;
  let awake = false;
  let waking: Promise<void> | undefined;
  let script = { start: async (): Promise<void> => {}, stop: async (): Promise<void> => {} };

  const sleeper: Sleeper = {
    isBusy: () => calls > 0 || waking !== undefined || runner.unfinishedCalls() > 0,
    async sleep() {
      awake = false;
      await script.stop();
    },
  };
  const wake = async (): Promise<void> => {
    limit.use(sleeper);
    if (awake) return;
    waking ??= limit.start(sleeper, script.start).finally(() => {
      waking = undefined;
      awake = true;
    });
    await waking;
  };
  const during = async (call: () => Promise<Response>): Promise<Response> => {
    calls += 1;
    try {
      await wake();
      return await call();
    } finally {
      calls -= 1;
    }
  };
  const host: ScriptHost = {
    async call(call) {
      const { type } = call.event;
      if (!awake && !waking && handlers.lack(type)) return noHandler(type);
      const response = await during(() => runner.call(call));
      if (await isNoHandler(response, type)) handlers.learn(type);
      return response;
    },
    raw: (id, request) => during(() => runner.raw(id, request)),
    stop: (id) => runner.stop(id),
    scriptBytes: () => runner.scriptBytes(),
    settled: () => runner.settled(),
    definedIds: () => runner.definedIds() ?? handlers.ids(),
  };
  return {
    host,
    wake,
    isAwake: () => awake || waking !== undefined,
    isWaking: () => waking !== undefined,
    /** Sets how the script is started and stopped. Until then, nothing starts it. */
    control: (next: typeof script) => void (script = next),
  };
}
