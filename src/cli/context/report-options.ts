import { parseWholeNumber } from './command.js';

export const sinceOption = { '--since <commit>': 'skip integrations without changes since this commit' };

/** The options of commands that print a report of problems. */
export const reportOptions = {
  '--strict': 'treat warnings as errors',
  '--max-warnings <number>': {
    description: 'fail if there are more warnings than this',
    parse: parseWholeNumber,
  },
  '--rule <code=severity>': {
    description: 'set the severity of a rule: off, info, warning or error',
    repeat: true,
  },
};
