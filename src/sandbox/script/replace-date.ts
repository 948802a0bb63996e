/** Replaces the global `Date`, so that the script sees another time. */
export function replaceDate(time: () => number): void {
  const Real = Date;
  const replaced: DateConstructor = new Proxy(Real, {
    apply: () => new Real(time()).toString(),
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [time()] : args, newTarget) as Date,
    get: (target, key, receiver) => (key === 'now' ? time : (Reflect.get(target, key, receiver) as unknown)),
  });
  Object.defineProperty(Real.prototype, 'constructor', { value: replaced, configurable: true });
  Object.defineProperty(globalThis, 'Date', { value: replaced, writable: true, configurable: true });
}

const { now } = Date;
let moved = 0;
let replaced = false;

/** Lets the script's time be ahead of the machine's. `Date` is replaced only once the platform's clock has been moved. */
export function moveDate(ahead = 0): void {
  moved = ahead;
  if (ahead === 0 || replaced) return;
  replaced = true;
  replaceDate(() => now() + moved);
}
