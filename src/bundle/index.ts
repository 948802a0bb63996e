export { bundleOnce, createBundler, startBundler, type Bundle, type Bundler } from './bundler.js';
export { bundleProblems } from './problems.js';
