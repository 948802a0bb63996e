import type { BundleCode } from './problems/bundle-problems.js';

/** A global that is missing or blocked in production. */
export interface RefusedApi {
  code: Extract<BundleCode, 'bundle/refused-api' | 'bundle/non-portable-api'>;
  /** The name shown in messages. */
  shown: string;
  help: string;
  /**
   * Decides whether an occurrence counts as a use, based on the text before and after the name. Without this function, every
   * occurrence counts.
   */
  counts?(before: string, after: string): boolean;
}

const noCodeFromText =
  'Production does not compile code from strings. Write the code directly, or select it from a lookup table.';
const noFiles = 'Production has no file system. Import text, JSON and SVG files instead.';

const refused = (shown: string, help: string, counts?: NonNullable<RefusedApi['counts']>): RefusedApi => ({
  code: 'bundle/refused-api',
  shown,
  help,
  ...(counts && { counts }),
});
const nonPortable = (shown: string, help: string): RefusedApi => ({
  code: 'bundle/non-portable-api',
  shown,
  help,
});

/** Keyed by the global's name. */
export const refusedApis: Readonly<Record<string, RefusedApi>> = {
  eval: refused('eval', noCodeFromText),
  Function: refused(
    'Function()',
    noCodeFromText,
    (before, after) => before.endsWith('new ') || after.startsWith('('),
  ),
  WebAssembly: refused('WebAssembly', 'Production does not compile WebAssembly from bytes.', (_, after) =>
    /^\.(compile|instantiate|Module\b)/.test(after),
  ),
  // A call with a literal path does not count, because the file is bundled or the call is reported as an import.
  require: refused(
    'require',
    'Production has no `require`. Use `import` with a path that is known when the script is built.',
    (_, after) => !/^\(\s*["'`]/.test(after),
  ),
  __dirname: refused('__dirname', noFiles),
  __filename: refused('__filename', noFiles),
  process: nonPortable(
    'process',
    'Its `env` is empty. Read secrets from `context.environment.secrets`, and other values from the configuration.',
  ),
  Buffer: nonPortable('Buffer', 'Use Uint8Array with TextEncoder, TextDecoder, atob and btoa.'),
  global: nonPortable('global', 'Use `globalThis`.'),
  'import.meta.url': nonPortable(
    'import.meta.url',
    'The built script has no URL. Import text, JSON and SVG files instead.',
  ),
  setImmediate: nonPortable('setImmediate', 'Use `queueMicrotask` or `setTimeout`.'),
};

export const computedImport: RefusedApi = refused(
  'import() of a computed name',
  'Only paths that are known when the script is built can be imported: `import("./name")`.',
);

/** `process.env.NODE_ENV` is replaced when the script is built. */
export const definedNames = { 'process.env.NODE_ENV': '"production"' };
