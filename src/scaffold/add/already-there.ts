import { UserError } from '../../base/user-error.js';
import { manifestFileName } from '../../manifest/index.js';
import { createLocator } from '../../manifest/model/locate-value.js';
import type { ExistingProject } from './existing-project.js';

interface Former {
  code: string;
  path: (string | number)[];
  what: string;
  hint?: string;
}

/** What is not added, as the manifest has it: where that is. */
export function alreadyThere({ manifest }: ExistingProject, former: Former): UserError {
  const { code, path, what, hint = 'Change that one by hand, or choose another name.' } = former;
  const { line } = createLocator(manifest.text)(path, 'key').start;
  return new UserError(code, `There is ${what} already, in ${manifestFileName}:${line}.`, hint);
}
