interface ColorChoice {
  /** `--color` and `--no-color`; undefined when neither was given. */
  flag: boolean | undefined;
  env: Readonly<Record<string, string | undefined>>;
  isTTY: boolean;
}

/** A flag wins over `NO_COLOR`, that over `FORCE_COLOR`, that over what the stream is. */
export function wantsColor({ flag, env, isTTY }: ColorChoice): boolean {
  if (flag !== undefined) return flag;
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return !['0', 'false'].includes(env['FORCE_COLOR']);
  return isTTY && env['TERM'] !== 'dumb';
}
