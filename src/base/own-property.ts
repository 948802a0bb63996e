/** Reads an own property only, so that `constructor` is not found by inheritance. */
export const ownProperty = <Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);
