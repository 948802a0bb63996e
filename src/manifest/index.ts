import type { RuleInfo } from '../diagnostics/model/rule.js';
import { documentCodes } from './check/check-document.js';
import { devSettingsRules, manifestRules } from './check/rules/index.js';

export {
  loadDevSettings,
  loadDocument,
  parseDevSettings,
  type DevSettings,
  type LoadedDevSettings,
} from './load/load-dev-settings.js';
export { readEnvFile } from './read/shell-and-dotenv.js';
export { renderEnvironmentTypes } from './model/environment-types.js';
export { readEnvironmentTypes, typesFileName } from './read/environment-types-file.js';
export { findManifest, manifestIn } from './read/find-manifest.js';
export { manifestFileName, manifestName, type Profile } from '../profiles/profile.js';
export { maxManifestBytes } from './read/read-manifest-file.js';
export { findManifests, findOneManifest } from './read/find-manifests.js';
export { devSettingsBeside, findDocuments, withDevSettings } from './read/find-documents.js';
export { findMissingComponents, namedComponents } from './check/missing-components.js';
export { createLocator } from './yaml/locate-problem.js';
export { readTree } from './yaml/read-tree.js';
export { readValues } from './yaml/read-values.js';
export { toValue } from './yaml/tree.js';
export { findClashes } from './load/find-clashes.js';
export { applyFixes } from './fix/apply-fixes.js';
export { type ImageInfo, isSmaller, isSquare, isTwoToOne, readImageInfo } from './read/image-info.js';
export {
  dotenvFiles,
  loadManifest,
  parseManifest,
  type LoadedManifest,
  type LoadManifestOptions,
} from './load/load-manifest.js';
export { namedFiles } from './read/find-manifest.js';
export { findManifestIgnores } from './check/manifest-ignores.js';
export type { DeclaredSecret, Manifest } from './model/manifest.js';

export const rules: readonly RuleInfo[] = [
  ...documentCodes,
  ...[...new Set([...manifestRules, ...devSettingsRules])].map(({ code, severity, summary }) => ({
    code,
    severity,
    summary,
  })),
];
export { devSettingsFileName } from './read/dev-settings-file.js';
