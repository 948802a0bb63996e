import type { RuleInfo } from '../diagnostics/rule.js';
import { documentCodes } from './document-codes.js';
import { manifestRules } from './rules/index.js';

export { readEnvFile } from './env-file.js';
export { renderEnvironmentTypes } from './environment-types.js';
export { findManifest, manifestFileName } from './find-manifest.js';
export { findManifests } from './find-manifests.js';
export { applyFixes } from './fixes.js';
export { type ImageInfo, readImageInfo } from './image-info.js';
export {
  loadManifest,
  parseManifest,
  type LoadedManifest,
  type LoadManifestOptions,
} from './load-manifest.js';
export { replaceFile } from './replace-file.js';
export type { DeclaredSecret, Manifest } from './manifest.js';

/** Every code that a manifest can be told of, rules and others. */
export const rules: readonly RuleInfo[] = [
  ...documentCodes,
  ...manifestRules.map(({ code, severity, summary }) => ({ code, severity, summary })),
];
