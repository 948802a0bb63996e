import type { Severity } from '../../diagnostics/model/diagnostic.js';
import type { RuleInfo } from '../../diagnostics/model/rule.js';

/** Problems found in the author's code before it runs. Each problem has a page in `docs/bundle`. */
export const bundleProblems = [
  {
    code: 'bundle/missing-entry',
    severity: 'error',
    summary: "The manifest's `script` refers to a file that does not exist.",
  },
  {
    code: 'bundle/syntax-error',
    severity: 'error',
    summary: 'A source file contains a syntax error.',
  },
  {
    code: 'bundle/unresolved-import',
    severity: 'error',
    summary: 'An import resolves to neither a file nor an installed package.',
  },
  {
    code: 'bundle/missing-export',
    severity: 'error',
    summary: 'The code imports a name that the other module does not export.',
  },
  {
    code: 'bundle/unknown-file-type',
    severity: 'error',
    summary: 'The code imports a file that is not code, JSON or text.',
  },
  {
    code: 'bundle/build-error',
    severity: 'error',
    summary: 'The code has no syntax errors, but it cannot be bundled.',
  },
  {
    code: 'bundle/node-import',
    severity: 'error',
    summary: 'The script imports a module that exists only in Node.',
  },
  {
    code: 'bundle/refused-api',
    severity: 'error',
    summary: 'The code uses an API that production blocks, such as `eval` or `require`.',
  },
  {
    code: 'bundle/non-portable-api',
    severity: 'warning',
    summary: 'The code uses an API that is missing in some runtimes, such as `process` or `Buffer`.',
  },
  {
    code: 'bundle/suspicious-code',
    severity: 'warning',
    summary: 'The code is valid, but probably does not do what you intended.',
  },
  {
    code: 'bundle/unused-ignore',
    severity: 'warning',
    summary: 'An ignore comment refers to a problem that does not exist or cannot be ignored.',
  },
  {
    code: 'bundle/ignore-without-reason',
    severity: 'warning',
    summary: 'An ignore comment does not give a reason.',
  },
] as const satisfies readonly RuleInfo[];

export type BundleCode = (typeof bundleProblems)[number]['code'];

export const severityOf = (code: BundleCode): Severity =>
  bundleProblems.find((problem) => problem.code === code)?.severity ?? 'error';
