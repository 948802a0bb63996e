import type { DocumentKind } from './document-kind.js';
import { validate } from '../generated/validate-manifest.js';
import { manifestCodeOf } from './schema-error-codes.js';
import { manifestRules } from './rules/index.js';
import { manifestGuide } from './schema-guide.js';

export const manifestKind: DocumentKind = {
  name: 'manifest',
  validate,
  codeOf: manifestCodeOf,
  rules: manifestRules,
  guide: manifestGuide,
};
