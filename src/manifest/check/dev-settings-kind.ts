import { schemasFolder } from '../../base/package-files.js';
import type { DocumentKind } from './document-kind.js';
import { validate } from '../generated/validate-dev-settings.js';
import { devSettingsRules } from './rules/index.js';
import { createSchemaGuide } from './rule-support/schema-guide.js';
import type { SchemaErrorAt } from './rule-support/schema-errors.js';

export const devSettingsKind: DocumentKind = {
  name: 'settings file',
  validate,
  codeOf,
  rules: devSettingsRules,
  guide: createSchemaGuide(new URL('platform-dev.schema.json', schemasFolder)),
};

function codeOf({ keyword, path }: SchemaErrorAt): string {
  const field = path.at(-1);
  if (path[0] === 'outbound' && (path.length > 1 || keyword === 'pattern' || keyword === 'propertyNames'))
    return 'manifest/invalid-outbound';
  if (keyword === 'required') return 'manifest/missing-key';
  if (keyword === 'additionalProperties') return 'manifest/unknown-key';
  if (field === 'runtime' || String(path[0]).startsWith('compatibility')) return 'manifest/invalid-runtime';
  if (path[0] === 'limits' && path.length > 1) return 'manifest/invalid-limit';
  if (keyword === 'enum') return 'manifest/unknown-visibility';
  if (field === 'port' || field === 'consolePort' || field === 'sitePort') return 'manifest/invalid-port';
  if (keyword === 'type') return 'manifest/wrong-type';
  if (field === 'title' || field === 'answer')
    return keyword === 'pattern' ? 'manifest/empty-text' : 'manifest/invalid-value';
  return keyword === 'pattern' || keyword === 'maxLength' ? 'manifest/invalid-id' : 'manifest/invalid-value';
}
