/** The same function, name, prototype and all, whose calls `check` may refuse by throwing. */
export function checkedCalls<Callee extends (...args: never[]) => unknown>(
  callee: Callee,
  check: () => void,
  /** Refused by a rejected promise then. */
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
