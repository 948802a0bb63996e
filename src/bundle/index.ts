export { stopBundler } from './esbuild.js';
export { bundleOnce, createBundler, startBundler, type Bundle, type Bundler } from './bundler.js';
export { checkSources, type CheckedSources } from './check-sources.js';
export { isOwnSource } from './plugins/refuse-node-imports.js';
export { bundleProblems } from './problems/bundle-problems.js';
export { findImport, type Import } from './plugins/import-chain.js';
export type { SourceFile } from './source-file.js';
export { findIgnoreComments } from './find-ignore-comments.js';
