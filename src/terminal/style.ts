type Paint = (text: string) => string;

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  gray: [90, 39],
} as const;

export interface Style extends Record<keyof typeof codes, Paint> {
  /** Marks a CI command of our own, because the terminal output breaks all others. */
  ciCommand: Paint;
}

/** Without color, every function returns its text unchanged. */
export function createStyle(enabled: boolean, escape = '\u001B', mark = ''): Style {
  const paint = ([open, close]: readonly [number, number]): Paint =>
    enabled ? (text) => (text ? `${escape}[${open}m${text}${escape}[${close}m` : text) : (text) => text;
  const paints = Object.entries(codes).map(([name, pair]) => [name, paint(pair)]);
  return { ...Object.fromEntries(paints), ciCommand: (text) => mark + text } as Style;
}

interface ColorChoice {
  /** `--color` or `--no-color`. Undefined if neither is given. */
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
