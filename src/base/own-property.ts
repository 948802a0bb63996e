/** Reads a property only if it is the object's own, so that inherited ones such as `constructor` are not found. */
export const ownProperty = <Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);
