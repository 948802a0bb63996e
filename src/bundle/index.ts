export { bundleOnce, createBundler, startBundler, type Bundle, type Bundler } from './bundler.js';
export { applySourceIgnores, findIgnoreComments } from './source-ignores.js';
export { isOwnSource } from './refuse-node-imports.js';
export { bundleProblems } from './bundle-problems.js';
export { checkApis, type SourceFile } from './check-apis.js';
