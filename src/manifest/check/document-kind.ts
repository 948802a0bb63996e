import type { SchemaError } from '../generated/validate-manifest.js';
import type { ManifestRule } from './rule-support/rule-context.js';
import type { SchemaGuide } from './rule-support/schema-guide.js';
import type { SchemaErrorAt } from './rule-support/schema-errors.js';

/** Defines a kind of document: its schema, and its additional rules. */
export interface DocumentKind {
  /** The kind's name in messages, such as "manifest". */
  name: string;
  validate: ((value: unknown) => boolean) & { errors?: SchemaError[] | null };
  codeOf(mistake: SchemaErrorAt, value: unknown): string;
  rules: readonly ManifestRule[];
  guide: SchemaGuide;
  /** Whether it may have `envs`, whose fields replace its own. */
  hasEnvironments?: boolean;
}
