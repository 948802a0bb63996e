import { UserError } from '../../base/user-error.js';
import type { InitOptions } from './init-options.js';
import { checkName, checkOrganization, checkText, type Verdict } from './check-answers.js';

/** What the command line gives is held to the same rules as what is typed. */
export function checkFlags(options: InitOptions): void {
  const checks: [flag: string, value: string | undefined, check: (text: string) => Verdict][] = [
    ['--name', options.name, checkName],
    ['--title', options.title, checkText('A title')],
    ['--description', options.description, checkText('A description')],
    ['--organization', options.organization, checkOrganization],
  ];
  for (const [flag, value, check] of checks) {
    const verdict = value === undefined || check(value);
    if (verdict !== true)
      throw new UserError('bad-value', `${flag} can't be ${JSON.stringify(value)}.`, verdict);
  }
}
