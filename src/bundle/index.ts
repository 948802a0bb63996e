export { bundleOnce, createBundler, startBundler, type Bundle, type Bundler } from './bundler.js';
export { isOwnSource } from './node-imports.js';
export { bundleProblems } from './problems.js';
export { checkApis, type SourceFile } from './check-apis.js';
