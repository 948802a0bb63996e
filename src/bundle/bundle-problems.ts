import type { Severity } from '../diagnostics/diagnostic.js';
import type { RuleInfo } from '../diagnostics/rule.js';

/** What can be wrong with the author's code before it runs. Each has a page in `docs/bundle`. */
export const bundleProblems = [
  {
    code: 'bundle/missing-entry',
    severity: 'error',
    summary: 'The file named by `script` in the manifest does not exist.',
  },
  {
    code: 'bundle/syntax-error',
    severity: 'error',
    summary: 'A source file cannot be parsed.',
  },
  {
    code: 'bundle/unresolved-import',
    severity: 'error',
    summary: 'An import leads to no file and no installed package.',
  },
  {
    code: 'bundle/missing-export',
    severity: 'error',
    summary: 'An import asks for a name that the other module does not export.',
  },
  {
    code: 'bundle/unknown-file-type',
    severity: 'error',
    summary: 'An imported file has an ending that cannot be bundled.',
  },
  {
    code: 'bundle/build-error',
    severity: 'error',
    summary: 'The bundler refuses the code for another reason.',
  },
  {
    code: 'bundle/node-import',
    severity: 'error',
    summary: 'An import needs a Node module, which production does not have.',
  },
  {
    code: 'bundle/refused-api',
    severity: 'error',
    summary: 'The code uses an API that production refuses, such as `eval` or `require`.',
  },
  {
    code: 'bundle/non-portable-api',
    severity: 'warning',
    summary: 'The code uses an API that is not in every runtime, such as `process` or `Buffer`.',
  },
  {
    code: 'bundle/suspicious-code',
    severity: 'warning',
    summary: 'The code is valid but unlikely to do what it says.',
  },
  {
    code: 'bundle/unused-ignore',
    severity: 'warning',
    summary: 'A comment ignores a problem that is not there, or that cannot be ignored.',
  },
  {
    code: 'bundle/ignore-without-reason',
    severity: 'warning',
    summary: 'A comment ignores a problem without saying why.',
  },
] as const satisfies readonly RuleInfo[];

export type BundleCode = (typeof bundleProblems)[number]['code'];

export const severityOf = (code: BundleCode): Severity =>
  bundleProblems.find((problem) => problem.code === code)?.severity ?? 'error';
