import type { RuleInfo } from '../diagnostics/rule.js';
import { documentCodes } from './document-codes.js';
import { devSettingsRules, manifestRules } from './rules/index.js';

export {
  devSettingsFileName,
  loadDevSettings,
  parseDevSettings,
  type DevSettings,
  type LoadedDevSettings,
} from './dev-settings.js';
export { readEnvFile } from './env-file.js';
export { renderEnvironmentTypes } from './environment-types.js';
export { findManifest, manifestFileName, manifestName } from './find-manifest.js';
export { findManifests, findOneManifest } from './find-manifests.js';
export { applyFixes } from './fixes.js';
export { type ImageInfo, readImageInfo } from './image-info.js';
export {
  loadManifest,
  parseManifest,
  type LoadedManifest,
  type LoadManifestOptions,
} from './load-manifest.js';
export { namedFiles } from './named-files.js';
export { readRegularFile } from './read-regular-file.js';
export { readStats } from './read-stats.js';
export { replaceFile } from './replace-file.js';
export type { DeclaredSecret, Manifest } from './manifest.js';

/** Every code that a manifest or a settings file can be told of, rules and others. */
export const rules: readonly RuleInfo[] = [
  ...documentCodes,
  ...[...new Set([...manifestRules, ...devSettingsRules])].map(({ code, severity, summary }) => ({
    code,
    severity,
    summary,
  })),
];
