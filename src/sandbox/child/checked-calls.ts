/** Returns the same function, with its name and prototype, but `check` may refuse a call by throwing. */
export function checkedCalls<Callee extends (...args: never[]) => unknown>(
  callee: Callee,
  check: () => void,
  /** If set, a refused call returns a rejected promise. */
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
