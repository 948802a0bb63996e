/** Whether workerd provides Node's modules with these compatibility flags, so importing them is allowed. */
export const hasNodeModules = (flags: readonly string[] = []): boolean =>
  flags.some((flag) => flag.startsWith('nodejs_compat'));
