import type { SchemaError } from '../generated/validate-manifest.js';
import type { ManifestRule } from './rule-support/rule-context.js';
import type { SchemaGuide } from './rule-support/schema-guide.js';
import type { SchemaErrorAt } from './rule-support/schema-errors.js';

/** A kind of document, with its schema and its additional rules. */
export interface DocumentKind {
  /** What messages call this kind of document, such as "manifest". */
  name: string;
  validate: ((value: unknown) => boolean) & { errors?: SchemaError[] | null };
  codeOf(mistake: SchemaErrorAt, value: unknown): string;
  rules: readonly ManifestRule[];
  guide: SchemaGuide;
  /** Whether the document may have `envs`. The fields in `envs` replace the document's own fields. */
  hasEnvironments?: boolean;
}
