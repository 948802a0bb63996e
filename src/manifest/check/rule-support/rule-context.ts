import type { Finding, Path, Rule } from '../../../diagnostics/model/rule.js';
import type { Profile } from '../../../profiles/profile.js';
import type { ProjectFiles } from '../../read/project-paths.js';
import type { SchemaGuide } from './schema-guide.js';
import type { SchemaErrorAt } from './schema-errors.js';

/** An edit that fixes a finding. The edit applies to the value at the finding's path. */
export type Fix =
  | { kind: 'rename'; text: string }
  | { kind: 'replace'; text: string }
  | { kind: 'quote' }
  | { kind: 'remove' }
  | { kind: 'add'; key: string; value: string };

export interface ManifestFinding extends Finding {
  fix?: Fix;
}

/** The input of a rule. `files` and `variables` are present if the manifest was read from a folder. */
export interface ManifestContext {
  value: Record<string, unknown>;
  mistakes(code: string): readonly SchemaErrorAt[];
  /** Set if the manifest is for another platform. */
  profile: Profile | undefined;
  guide: SchemaGuide;
  /** Whether the text at this path is written without quotes. */
  isPlain(path: Path): boolean;
  files?: ProjectFiles;
  variables?: (name: string) => string | undefined;
}

export interface ManifestRule extends Rule<ManifestContext> {
  /** A description in one sentence, for lists of rules. */
  summary: string;
  check(context: ManifestContext): Iterable<ManifestFinding>;
}
