import { bundleProblems } from '../../bundle/problems/bundle-problems.js';
import { contentProblems } from '../../content/content-problems.js';
import type { RuleInfo } from '../../diagnostics/index.js';
import { rules } from '../../manifest/index.js';
import { checks } from '../../publish/checks/index.js';
import { ignoreCheck, ignoreWithoutReason, manifestCheck } from '../../publish/run-checks.js';

/** Every code that a check can print, sorted by name. */
export const ruleRegistry: readonly RuleInfo[] = [
  ...rules,
  ...bundleProblems,
  ...contentProblems,
  manifestCheck,
  ignoreCheck,
  ignoreWithoutReason,
  ...checks,
].sort((a, b) => (a.code < b.code ? -1 : 1));
