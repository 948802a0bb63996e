interface ColorChoice {
  /** `--color` or `--no-color`; undefined if neither is given. */
  flag: boolean | undefined;
  env: Readonly<Record<string, string | undefined>>;
  isTTY: boolean;
}

/** A flag takes precedence over `NO_COLOR`, then `FORCE_COLOR`, then the type of the stream. */
export function wantsColor({ flag, env, isTTY }: ColorChoice): boolean {
  if (flag !== undefined) return flag;
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return isTTY && env['TERM'] !== 'dumb';
}
