/** The value that this share of all values does not exceed; 0 if there are none. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * (values.length - 1))] ?? 0;
