/** Whether workerd has Node's modules with these compatibility flags, so that nothing refuses them. */
export const hasNodeModules = (flags: readonly string[] = []): boolean =>
  flags.some((flag) => flag.startsWith('nodejs_compat'));
