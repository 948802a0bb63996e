/** Reads an own property only, so inherited ones such as `constructor` are not found. */
export const ownProperty = <Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);
