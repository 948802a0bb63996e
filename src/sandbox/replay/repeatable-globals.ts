// Makes the time and random values of a replayed call match its recording. Must be installed before the script loads.

import { replaceDate } from '../script/replace-date.js';
import { currentRun } from './call-run.js';

interface Options {
  /** The time that the script sees while it loads. */
  now: number;
  /** Whether `setTimeout` returns an object with `unref()`, as in Node. */
  timerObjects: boolean;
}

type Callback = (...args: unknown[]) => void;

export function installRepeatableGlobals({ now, timerObjects }: Options): void {
  const time = (): number => currentRun()?.now ?? now;
  replaceDate(time);
  Object.defineProperty(performance, 'now', {
    value: () => time() - now,
    configurable: true,
    writable: true,
  });
  installTimers(timerObjects);
  installRandom();
  countWork();
  noteStacks();
}

const stacks = new WeakMap<Response, string>();

/** Returns the stack where the script created a response. */
export const stackOf = (response: Response): string => stacks.get(response) ?? '';

function noteStacks(): void {
  const { Error } = globalThis;
  const noted = (response: Response): Response => {
    stacks.set(response, new Error().stack ?? '');
    return response;
  };
  const { json, redirect } = Response;
  Object.assign(Response, {
    json: (...args: Parameters<typeof json>) => noted(json.apply(Response, args)),
    redirect: (...args: Parameters<typeof redirect>) => noted(redirect.apply(Response, args)),
  });
  define(
    'Response',
    new Proxy(Response, {
      construct: (target, args, newTarget) => noted(Reflect.construct(target, args, newTarget) as Response),
    }),
  );
}

const define = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

/** What `setTimeout` returns in Node. Scripts call `unref()` on it. */
class TimerObject {
  #id: number;
  constructor(id: number) {
    this.#id = id;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
  close(): this {
    clearTimeout(this.#id);
    return this;
  }
  [Symbol.toPrimitive](): number {
    return this.#id;
  }
}

function installTimers(objects: boolean): void {
  const cancels = new Map<number, () => void>();
  let count = 0;
  const begin = (ms: unknown, repeats: boolean, work: Callback, args: unknown[]): unknown => {
    if (typeof work !== 'function') throw new TypeError('The callback of a timer must be a function.');
    const id = ++count;
    const run = currentRun();
    const wait = Math.max(repeats ? 1 : 0, Number(ms ?? 0) || 0);
    const schedule = (): void => {
      if (!run || run.ended) return;
      const cancel = run.schedule(wait, () => {
        cancels.delete(id);
        if (repeats) schedule();
        work(...args);
      });
      cancels.set(id, cancel);
    };
    schedule();
    return objects ? new TimerObject(id) : id;
  };
  const cancel = (timer: unknown): void => {
    const id = Number(timer);
    cancels.get(id)?.();
    cancels.delete(id);
  };
  define('setTimeout', (work: Callback, ms?: number, ...args: unknown[]) => begin(ms, false, work, args));
  define('setInterval', (work: Callback, ms?: number, ...args: unknown[]) => begin(ms, true, work, args));
  define('setImmediate', (work: Callback, ...args: unknown[]) => begin(0, false, work, args));
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate']) define(name, cancel);
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
  const { scheduler } = globalThis as { scheduler?: object };
  if (scheduler) Object.defineProperty(scheduler, 'wait', { value: sleep, configurable: true });
  AbortSignal.timeout = (ms) => {
    const over = new AbortController();
    setTimeout(
      () => over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    );
    return over.signal;
  };
}

function installRandom(): void {
  const { random } = Math;
  Math.random = () => currentRun()?.random.math() ?? random();
  const { getRandomValues, randomUUID } = Crypto.prototype;
  Object.assign(Crypto.prototype, {
    getRandomValues<View extends ArrayBufferView<ArrayBuffer>>(this: Crypto, view: View): View {
      // This call also validates the type and the length.
      const filled = getRandomValues.call(this, view) as View;
      const run = currentRun();
      if (!run) return filled;
      run.random.fillBytes(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
      return filled;
    },
    randomUUID(this: Crypto): string {
      return currentRun()?.random.uuid() ?? randomUUID.call(this);
    },
  });
}

/** Methods that return a different result each time for the listed algorithms. */
const unrepeatable: Record<string, RegExp> = {
  generateKey: /./,
  sign: /^(?:ECDSA|RSA-PSS)$/i,
  encrypt: /^RSA-OAEP$/i,
  wrapKey: /^RSA-OAEP$/i,
};

/** Counts work in other threads, so that time does not jump ahead while the work is running. */
function countWork(): void {
  const subtle = SubtleCrypto.prototype as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  for (const name of Object.getOwnPropertyNames(subtle)) {
    const method = subtle[name];
    if (name === 'constructor' || typeof method !== 'function') continue;
    subtle[name] = async function (this: unknown, ...args: unknown[]) {
      const run = currentRun();
      if (!run) return method.apply(this, args);
      const algorithm = algorithmOf(args);
      if (unrepeatable[name]?.test(algorithm))
        note(run.outcome.unrepeatable, `crypto.subtle.${name} with ${algorithm}`);
      run.pending += 1;
      try {
        return await method.apply(this, args);
      } catch (error) {
        if (name === 'decrypt') run.outcome.decryptFailed = true;
        throw error;
      } finally {
        run.pending -= 1;
        run.activity += 1;
      }
    };
  }
  for (const name of ['CompressionStream', 'DecompressionStream'] as const) {
    const Real = globalThis[name];
    define(
      name,
      new Proxy(Real, {
        construct(target, args, newTarget) {
          const run = currentRun();
          if (run) run.packing += 1;
          return Reflect.construct(target, args, newTarget) as object;
        },
      }),
    );
  }
}

function algorithmOf(args: unknown[]): string {
  for (const arg of args) {
    if (typeof arg === 'string' && /[A-Z]/.test(arg)) return arg;
    const name = (arg as { name?: unknown } | null)?.name;
    if (typeof name === 'string') return name;
  }
  return '';
}

function note(list: string[], text: string): void {
  if (!list.includes(text)) list.push(text);
}
