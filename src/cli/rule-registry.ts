import { bundleProblems } from '../bundle/problems.js';
import type { RuleInfo } from '../diagnostics/index.js';
import { rules } from '../manifest/index.js';

/** Every code that a check can print, in the order of their names. */
export const ruleRegistry: readonly RuleInfo[] = [...rules, ...bundleProblems].sort((a, b) =>
  a.code < b.code ? -1 : 1,
);
