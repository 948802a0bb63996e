import { toText, type ProjectFiles } from '../../files/files-in-memory.js';
import { parsePackageFile, type PackageFile } from '../../tools/read-package-file.js';
import { dependsOn } from '../package/rewrite-package.js';
import { packageIn } from '../package/package-scripts.js';
import { isSource } from '../model/recognise-origin.js';

export const workers = '@cloudflare/workers-types';

/** Matches code that only works with worker types: generic types for bodies, and a request's cache settings. */
const ofWorkers = /\.json<|\bcf\s*:|\b(?:ExecutionContext|KVNamespace|HTMLRewriter)\b/;
/** Matches code that only works with browser types. */
const ofBrowsers =
  /\bdocument\.(?:getElement|querySelector|createElement|addEventListener|body|head|cookie|documentElement)|\bwindow\.(?:\w+)|\b(?:localStorage|sessionStorage)\.|\bHTML(?!Rewriter)\w*Element\b/;

const ofBun = /['"]bun:test['"]/;
const ofNode = /['"]node:\w|\b__dirname\b/;
const importsTests = /\bimport\b[^;]{0,2000}\b(?:test|it|expect)\b/;
const startsTests = /^[ \t]*(?:describe|test|it)\(/m;

const typed = (files: ProjectFiles, pattern: RegExp): string | undefined =>
  [...files].find(
    ([path, bytes]) => isSource(path) && /\.[cm]?tsx?$/.test(path) && matches(bytes, pattern),
  )?.[0];

const searched = new WeakMap<Uint8Array, Map<RegExp, boolean>>();

/** Searches each file for a pattern only once, however many tsconfig files include it. */
function matches(bytes: Uint8Array, pattern: RegExp): boolean {
  const results = searched.get(bytes) ?? new Map<RegExp, boolean>();
  searched.set(bytes, results);
  const result = results.get(pattern) ?? pattern.test(toText(bytes));
  results.set(pattern, result);
  return result;
}

/** Whether the sources need worker types. In the original repository, a base file may have provided these types. */
export const needsWorkerTypes = (files: ProjectFiles): boolean =>
  toText(files.get('package.json') ?? new Uint8Array()).includes(`"${workers}"`) ||
  typed(files, ofWorkers) !== undefined;

export const fileOfBrowsers = (files: ProjectFiles): string | undefined => typed(files, ofBrowsers);

/** An entry required in a tsconfig file's `types`, and the package that provides the types. */
export interface NeededTypes {
  types: string;
  package: string;
  because: string;
}

export function neededTypes(files: ProjectFiles): NeededTypes[] {
  const bun = typed(files, ofBun);
  const node = typed(files, ofNode);
  const globals = bun === undefined ? typesOfGlobals(files) : undefined;
  return [
    ...(bun === undefined ? [] : [{ types: 'bun', package: '@types/bun', because: bun }]),
    ...(globals ?? []),
    ...(node === undefined ? [] : [{ types: 'node', package: '@types/node', because: node }]),
  ];
}

/** If `describe` and `test` are not imported, they come from the test runner. */
function typesOfGlobals(files: ProjectFiles): NeededTypes[] {
  const [because] =
    [...files].find(
      ([path, bytes]) =>
        /\.(test|spec)\.[cm]?tsx?$/.test(path) &&
        !matches(bytes, importsTests) &&
        matches(bytes, startsTests),
    ) ?? [];
  const content = parsePackageFile(toText(files.get('package.json') ?? new Uint8Array()))?.content;
  const runner = because === undefined ? undefined : Object.keys(runners).find((name) => runs(content, name));
  return because === undefined || runner === undefined ? [] : [{ ...runners[runner]!, because }];
}

const runners: Readonly<Record<string, Omit<NeededTypes, 'because'>>> = {
  jest: { types: 'jest', package: '@types/jest' },
  vitest: { types: 'vitest/globals', package: 'vitest' },
  mocha: { types: 'mocha', package: '@types/mocha' },
};

const runs = (content: PackageFile | undefined, runner: string): boolean =>
  dependsOn(content, runner) ||
  Object.values(content?.scripts ?? {}).some((command) => new RegExp(`\\b${runner}\\b`).test(command));

/** The types for `bun` are in `@types/bun`, and those for `vitest/globals` are in `vitest` itself. */
export function packageOfTypes(types: string, content: PackageFile | undefined): string {
  const owner = packageIn(types);
  if (dependsOn(content, owner) || owner.startsWith('@') || owner.endsWith('-types') || types.includes('/'))
    return owner;
  return `@types/${owner}`;
}
