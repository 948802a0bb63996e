export type { BundleOptions } from './build-options.js';
export { bundleOnce, createBundler, type Bundle, type Bundler } from './bundler.js';
export { bundleProblems } from './problems.js';
