import type { DocumentKind } from './document-kind.js';
import { validate } from '../generated/validate-manifest.js';
import { manifestRules } from './rules/index.js';
import { manifestGuide } from './rule-support/schema-guide.js';
import type { SchemaErrorAt } from './rule-support/schema-errors.js';
import { keyOwners } from './rules/key-of-other-type.js';
import { textAt, valueAt } from '../../base/value-at-path.js';

/** Returns the code of the rule that describes a schema error. The first matching rule wins. */
// oxlint-disable-next-line complexity -- A flat list of cases, each independent of the others.
function manifestCodeOf(mistake: SchemaErrorAt, document: unknown): string {
  const { keyword, path, key } = mistake;
  const field = String(path.findLast((part) => typeof part === 'string'));
  const secret = path.at(-2) === 'secrets';
  if (keyword === 'required') return 'manifest/missing-key';
  if (keyword === 'additionalProperties')
    return path.at(-2) === 'properties' && path[0] === 'configurations' && Object.hasOwn(keyOwners, key ?? '')
      ? 'manifest/key-of-other-type'
      : 'manifest/unknown-key';
  if (keyword === 'discriminator') return 'manifest/unknown-property-type';
  if (keyword === 'minItems' && field === 'enum') return 'manifest/empty-enum';
  if (keyword === 'not' && path.at(-2) === 'properties') return 'manifest/enum-with-completion';
  if (keyword === 'enum') return `manifest/unknown-${field === 'scopes' ? 'scope' : field}`;
  if (secret)
    return isExpression(valueAt(document, path)) ? 'manifest/secret-expression' : 'manifest/literal-secret';
  if (keyword === 'type')
    return field === 'default' && path[0] === 'configurations'
      ? 'manifest/invalid-default'
      : 'manifest/wrong-type';
  if (path[0] === 'externalLinks' && field === 'url') return 'manifest/invalid-url';
  if (keyword === 'pattern' && path.length === 1 && field === 'icon' && valueAt(document, path) !== '')
    return 'manifest/path-outside';
  if (path.length === 1 && field === 'name') return 'manifest/invalid-name';
  if (keyword === 'maxLength' && field === 'summary') return 'manifest/summary-length';
  if (keyword === 'pattern' && field.endsWith('_url')) return 'manifest/endpoint-path';
  return keyword === 'pattern' && textAt(document, ...path)?.trim() === ''
    ? 'manifest/empty-text'
    : 'manifest/invalid-value';
}

const isExpression = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'string' && value.includes('${{'));

export const manifestKind: DocumentKind = {
  name: 'manifest',
  validate,
  codeOf: manifestCodeOf,
  rules: manifestRules,
  guide: manifestGuide,
  hasEnvironments: true,
};
