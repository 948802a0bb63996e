import type { RuleInfo } from '../diagnostics/index.js';

/** The first line of the checklist stands for everything that `validate` says. */
export const manifestCheck: RuleInfo = {
  code: 'publish/manifest',
  severity: 'error',
  summary: 'The manifest has no mistakes.',
};
