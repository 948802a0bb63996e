import { checkedCalls } from './checked-calls.js';

/** Makes `eval`, function constructors and the compilation of WebAssembly throw, as in production. */
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
  throw new EvalError(`\`${name}\` is refused, because production cannot compile code from text.`);
}

function refuseBytes(name: string): void {
  if (isCalledByNode()) return;
  throw new WebAssembly.CompileError(
    `\`WebAssembly.${name}\` is refused, because production cannot compile WebAssembly from bytes.`,
  );
}

/** Node's `fetch` compiles its HTTP parser with the same functions. */
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
