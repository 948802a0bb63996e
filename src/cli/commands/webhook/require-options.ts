import { UserError } from '../../../base/user-error.js';

/** The options that a command can't do without; all that are missing are named at once. */
export function needOptions<Options extends object, Name extends keyof Options & string>(
  options: Options,
  flags: Record<Name, string>,
  usage: string,
): Record<Name, string> {
  const names = Object.keys(flags) as Name[];
  const missing = names.filter((name) => !options[name]).map((name) => flags[name]);
  if (missing.length > 0) {
    throw new UserError('missing-input', `This needs ${missing.join(' and ')}.`, usage);
  }
  return Object.fromEntries(names.map((name) => [name, String(options[name])])) as Record<Name, string>;
}
