/** A promise, and the functions that settle it. */
export interface Later<Value> {
  promise: Promise<Value>;
  resolve(value: Value): void;
}

export function settleLater<Value>(): Later<Value> {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}
