import { UserError } from '../../../../base/user-error.js';

/** Returns the options if all required ones are set. Otherwise, throws an error that lists every missing option. */
export function needOptions<Options extends object, Name extends keyof Options & string>(
  options: Options,
  flags: Record<Name, string>,
  usage: string,
): Record<Name, string> {
  const names = Object.keys(flags) as Name[];
  const missing = names.filter((name) => !options[name]).map((name) => flags[name]);
  if (missing.length > 0) {
    throw new UserError(
      'missing-input',
      `Missing ${missing.length === 1 ? 'option' : 'options'}: ${missing.join(', ')}.`,
      usage,
    );
  }
  return Object.fromEntries(names.map((name) => [name, String(options[name])])) as Record<Name, string>;
}
