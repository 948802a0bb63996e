// Makes the globals of a Node process behave as they do in production, where scripts run in workerd.

/**
 * Node defines these globals lazily. A package that replaces one on an object inheriting from `globalThis` would
 * replace Node's own.
 */
const lazyInNode = ['FormData', 'Headers', 'Request', 'Response'] as const;

/**
 * Gives the script the same globals as in production. Packages that detect their environment see neither Node nor a
 * browser. `Buffer` and `global` remain, because Node's own `fetch` needs them.
 */
export function defineWorkerGlobals(version: string): void {
  const define = (name: string, value: unknown): void =>
    void Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });

  for (const name of lazyInNode) define(name, globalThis[name]);
  define('self', globalThis);
  define('navigator', Object.freeze({ userAgent: `Platform/${version}` }));
  define('process', Object.freeze({ env: {}, versions: Object.freeze({}) }));
}

/** Makes `eval`, function constructors and WebAssembly compilation throw, as in production. */
export function refuseCode(): void {
  // oxlint-disable-next-line no-eval
  globalThis.eval = checkedCalls(globalThis.eval, () => refuseText('eval'));
  for (const example of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    const prototype = Object.getPrototypeOf(example) as { constructor: { name: string } & (() => unknown) };
    const { constructor } = prototype;
    const value = checkedCalls(constructor, () => refuseText(`new ${constructor.name}`));
    Object.defineProperty(prototype, 'constructor', { value });
  }
  globalThis.Function = Function.prototype.constructor as FunctionConstructor;

  const web = WebAssembly as unknown as Record<string, () => unknown>;
  for (const name of ['Module', 'compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']) {
    const compile = web[name];
    if (!compile) continue;
    const asynchronous = name !== 'Module';
    web[name] = checkedCalls(compile, () => refuseBytes(name), { asynchronous });
  }
}

function refuseText(name: string): never {
  throw new EvalError(`\`${name}\` is blocked, because production cannot compile code from text.`);
}

function refuseBytes(name: string): void {
  if (isCalledByNode()) return;
  throw new WebAssembly.CompileError(
    `\`WebAssembly.${name}\` is blocked, because production cannot compile WebAssembly from bytes.`,
  );
}

/** Node's `fetch` uses the same functions to compile its HTTP parser. */
function isCalledByNode(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Object.assign(Error, { stackTraceLimit: Infinity, prepareStackTrace: undefined });
  const { stack = '' } = new Error();
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  const caller = stack
    .split('\n')
    .find((line) => line.startsWith('    at ') && !line.includes(import.meta.url));
  return caller?.includes('node:internal/') === true;
}

type Methods = Record<string, (...args: never[]) => unknown>;

/**
 * Blocks timers, random values and `fetch` while the script's module loads, as production does. The replacements stay in place,
 * because packages may keep references to these functions. Returns a function that loads a module while they are blocked.
 */
export function guardLoading(): <Loaded>(load: () => Promise<Loaded>) => Promise<Loaded> {
  let loading = false;
  const guard = (owner: object, names: string[], prefix: string, { asynchronous = false } = {}): void => {
    const methods = owner as Methods;
    for (const name of names) {
      const method = methods[name];
      if (!method) continue;
      const check = (): void => {
        if (loading) throw new Error(refusal(`${prefix}${name}`));
      };
      methods[name] = checkedCalls(method, check, { asynchronous });
    }
  };

  guard(globalThis, ['setTimeout', 'setInterval', 'setImmediate'], '');
  guard(globalThis, ['fetch'], '', { asynchronous: true });
  guard(AbortSignal, ['timeout'], 'AbortSignal.');
  guard(Crypto.prototype, ['getRandomValues', 'randomUUID'], 'crypto.');
  guard(SubtleCrypto.prototype, ['generateKey'], 'crypto.subtle.', { asynchronous: true });

  return async (load) => {
    loading = true;
    const release = guardResponses(() => loading);
    try {
      return await load();
    } finally {
      loading = false;
      release();
    }
  };
}

/**
 * Prevents the module from creating a Response with a byte or text body while it loads. After that, calls go directly
 * to the original class.
 */
function guardResponses(isLoading: () => boolean): () => void {
  const { Response } = globalThis;
  const guarded = new Proxy(Response, {
    construct(target, args: [body?: BodyInit | null], newTarget) {
      const [body] = args;
      if (isLoading() && body != null && !(body instanceof ReadableStream))
        throw new Error(refusal('new Response(body)'));
      return Reflect.construct(target, args, newTarget) as Response;
    },
  });
  globalThis.Response = guarded;
  return () => {
    if (globalThis.Response === guarded) globalThis.Response = Response;
  };
}

const refusal = (name: string): string =>
  `\`${name}\` is blocked while the script loads, as in production. Call it in a function that handles an event.`;

/** Returns a function with the same name and prototype as the original. `check` can block a call by throwing. */
function checkedCalls<Callee extends (...args: never[]) => unknown>(
  callee: Callee,
  check: () => void,
  /** If true, a blocked call returns a rejected promise instead of throwing. */
  { asynchronous = false } = {},
): Callee {
  return new Proxy(callee, {
    apply(target, self, args): unknown {
      try {
        check();
      } catch (error) {
        if (asynchronous) return Promise.reject(error);
        throw error;
      }
      return Reflect.apply(target, self, args);
    },
    construct(target, args, newTarget): object {
      check();
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
}
