import type { Seen } from '../check.js';

/** For checks of a script that does not run: another check says why. */
export const notRun: Seen = {
  evidence: 'The script does not run, so this was not looked at.',
  person: 'Mend what keeps the script from running, and check again.',
};
