import type { Severity } from '../../diagnostics/model/diagnostic.js';
import { listRules } from '../../diagnostics/model/rule.js';

const errors = {
  'bundle/missing-entry': "The manifest's `script` refers to a file that does not exist.",
  'bundle/syntax-error': 'A source file contains a syntax error.',
  'bundle/unresolved-import': 'An import resolves to neither a file nor an installed package.',
  'bundle/missing-export': 'The code imports a name that the other module does not export.',
  'bundle/unknown-file-type': 'The code imports a file that is not code, JSON or text.',
  'bundle/build-error': 'The code has no syntax errors, but it cannot be bundled.',
  'bundle/node-import': 'The script imports a module that exists only in Node.',
  'bundle/refused-api': 'The code uses an API that production blocks, such as `eval` or `require`.',
};

const warnings = {
  'bundle/non-portable-api':
    'The code uses an API that is missing in some runtimes, such as `process` or `Buffer`.',
  'bundle/suspicious-code': 'The code is valid, but probably does not do what you intended.',
  'bundle/unused-ignore': 'An ignore comment refers to a problem that does not exist or cannot be ignored.',
  'bundle/ignore-without-reason': 'An ignore comment does not give a reason.',
};

export type BundleCode = keyof typeof errors | keyof typeof warnings;

/** Problems found in the author's code before it runs. Each problem has a page in `docs/bundle`. */
export const bundleProblems = [...listRules('error', errors), ...listRules('warning', warnings)];

export const severityOf = (code: BundleCode): Severity => (code in errors ? 'error' : 'warning');
