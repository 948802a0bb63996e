/** What stands under a name that may be any text: `constructor` is a name like any other. */
export const ownProperty = <Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);
