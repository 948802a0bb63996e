import { basename, join, sep } from 'node:path';
import { renderDiff } from '../../diagnostics/index.js';
import { UserError } from '../../base/user-error.js';
import { manifestFileName, manifestName, parseManifest, readRegularFile } from '../../manifest/index.js';
import { toBytes, toText, type ProjectFiles } from '../files/files-in-memory.js';
import { findOrigin, isSource, type Origin } from './recognise-origin.js';
import { rewriteManifest, type ManifestChoices } from './rewrite-manifest.js';
import { newPackage, rewritePackage } from './rewrite-package.js';
import { importedModules, rewriteSource, type Rewritten } from './rewrite-source.js';
import { declareTextModules, needsWorkerTypes } from './worker-types.js';
import { newTsconfig, rewriteTsconfig } from './rewrite-tsconfig.js';
import { readdirSync, realpathSync } from 'node:fs';
import { readStats } from '../../base/node/read-stats.js';

export interface ImportedProject {
  files: ProjectFiles;
  diff: string;
  /** What the author has to look at. */
  unmapped: string[];
}

export interface ImportOptions {
  sdkSpec: string;
  choices?: ManifestChoices;
}

/** An integration of this kind, from elsewhere: its manifest and its imports become this platform's. */
export function importProject(from: string, { sdkSpec, choices = {} }: ImportOptions): ImportedProject {
  const { files: before, broken, outside } = readProject(from);
  const manifestPath = findManifestIn(before, from);
  const origin = findOrigin(before);
  const files = new Map<string, Uint8Array>();
  const unmapped = [
    ...broken.map((path) => `${path}: it is a link that leads nowhere, and stays behind.`),
    ...outside.map((path) => `${path}: it is a link that leads out of the folder, so it was not copied.`),
  ];
  let diff = '';
  const add = (path: string, former: string, { text, unmapped: notes }: Rewritten): void => {
    files.set(path, toBytes(text));
    unmapped.push(...notes.map((note) => `${path}: ${note}`));
    if (text !== former) diff += renderDiff(path, { text: former }, { text });
  };
  for (const [path, bytes] of before) {
    const rewrite = rewriterOf(path, { manifestPath, origin, before, sdkSpec, choices });
    if (rewrite) {
      const text = toText(bytes);
      add(path === manifestPath ? manifestFileName : path, text, rewrite(text));
    } else files.set(path, bytes);
  }
  for (const [path, text] of missingFiles(before, { name: basename(from), manifestPath, sdkSpec }))
    add(path, '', { text, unmapped: [] });
  unmapped.push(...findingsOf(files), ...(origin ? [] : [noOrigin]));
  return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), diff, unmapped };
}

const noOrigin = 'No source imports createIntegration, so no import was rewritten.';

function findManifestIn(files: ProjectFiles, from: string): string {
  const manifests = [...files.keys()].filter((path) => manifestName.test(path));
  const chosen = manifests.length > 1 ? manifests.filter((path) => isIntegration(files, path)) : manifests;
  const [manifest] = chosen;
  if (manifest !== undefined && chosen.length === 1) return manifest;
  throw new UserError(
    'no-manifest',
    `There is ${manifests.length > 1 ? 'more than one' : 'no'} manifest in ${from}.`,
    'Its name ends in -manifest.yaml, and it lies in the folder itself.',
  );
}

/** Others have manifests too: the one that is meant names a script, as integrations do. */
const isIntegration = (files: ProjectFiles, path: string): boolean =>
  /^script\s*:/m.test(toText(files.get(path) ?? new Uint8Array()));

interface Place extends Required<ImportOptions> {
  manifestPath: string;
  origin: Origin | undefined;
  before: ProjectFiles;
}

/** How a file is brought here; `undefined` where it stays as it is. */
function rewriterOf(
  path: string,
  { manifestPath, origin, before, sdkSpec, choices }: Place,
): ((text: string) => Rewritten) | undefined {
  if (path === manifestPath) return (text) => rewriteManifest(text, choices);
  if (path === '.gitignore') return (text) => ({ text: withIgnored(text), unmapped: [] });
  if (!origin) return undefined;
  if (isSource(path)) return (text) => rewriteSource(text, origin);
  if (/(^|\/)\.eslintrc(\.json|\.ya?ml)?$/.test(path))
    return (text) => ({ text, unmapped: lostRules(text, origin) });
  const workerTypes = needsWorkerTypes(before);
  if (path === 'package.json')
    return (text) =>
      rewritePackage(text, { origin, sdkSpec, imported: importsOf(before, origin), workerTypes });
  if (!/(^|\/)tsconfig[\w.-]*\.json$/.test(path)) return undefined;
  const dependencies = toText(before.get('package.json') ?? new Uint8Array());
  const brings = (types: string): boolean => {
    const owner = /^(?:@[^/]+\/)?[^/]+/.exec(types)?.[0] ?? types;
    return [owner, `@types/${owner}`].some((name) => dependencies.includes(`"${name}"`));
  };
  return (text) => rewriteTsconfig(text, { origin, workerTypes, brings, has: (other) => before.has(other) });
}

/** Nothing in the sources imports them, so their package goes. */
const lostRules = (text: string, { scope }: Origin): string[] =>
  [...text.matchAll(/["'](@[\w.-]+\/[^"'\s]+)["']/g)]
    .map(([, name = '']) => name)
    .filter((name) => scope !== undefined && name.startsWith(scope))
    .map((name) => `it names the rules ${name}, which are not here: name others, or leave the file out.`);

/** What is still imported once the sources are rewritten. */
const importsOf = (files: ProjectFiles, origin: Origin): string[] =>
  [...files]
    .filter(([path]) => isSource(path))
    .flatMap(([, bytes]) => importedModules(rewriteSource(toText(bytes), origin).text));

const ignored = ['node_modules/', '.env', '.platform/'];

function withIgnored(text: string): string {
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const missing = ignored.filter((name) => !lines.has(name.replace(/\/$/, '')));
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return missing.length === 0 ? text : `${start}${missing.join('\n')}\n`;
}

function missingFiles(
  before: ProjectFiles,
  { name, manifestPath, sdkSpec }: { name: string; manifestPath: string; sdkSpec: string },
): [string, string][] {
  const wanted: [string, string][] = [
    ['.gitignore', withIgnored('')],
    ['package.json', newPackage(name, sdkSpec)],
  ];
  if ([...before.keys()].some((path) => /\.tsx?$/.test(path))) {
    wanted.push(['tsconfig.json', newTsconfig(needsWorkerTypes(before))]);
    const textModules = declareTextModules(before);
    if (textModules !== undefined) wanted.push(['src/text-modules.d.ts', textModules]);
  }
  const example = environmentExample(toText(before.get(manifestPath) ?? new Uint8Array()));
  if (example !== undefined) wanted.push(['.env.example', example]);
  return wanted.filter(([path]) => !before.has(path));
}

/** The variables that the secrets are taken from: who runs it here has to know them. */
function environmentExample(manifest: string): string | undefined {
  const found = [...manifest.matchAll(/\$\{\{ *env\.([A-Za-z_]\w*) *\}\}/g)].map(([, name]) => `${name}=`);
  const lines = ['# Copy this file to .env and fill in the values.', ...new Set(found)];
  return found.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

/** What `platform validate` will say, but for what it only mentions. */
function findingsOf(files: ProjectFiles): string[] {
  const { diagnostics } = parseManifest(toText(files.get(manifestFileName) ?? new Uint8Array()));
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map(({ message, range }) => `${manifestFileName}:${range?.start.line ?? 1}: ${message}`);
}

/** What is made anew here, or belongs to one computer. */
const left = /^(node_modules|\.git|\.DS_Store|\.env|\.env\.(?!example$|sample$|template$).*)$/;
const built = /^(dist|build|coverage)$/;

/** An integration is far below these; they keep a wrong or hostile folder from filling the memory. */
const limits = { entries: 10_000, fileBytes: 16 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

interface ReadProject {
  files: ProjectFiles;
  /** Links that lead nowhere, or back to the folder they are in. */
  broken: string[];
  /** Links that lead out of the folder. They are not followed. */
  outside: string[];
}

function readProject(folder: string): ReadProject {
  if (!readStats(folder)?.isDirectory()) {
    throw new UserError('no-such-folder', `There is no folder ${folder}.`);
  }
  const root = realpathSync(folder);
  const files = new Map<string, Uint8Array>();
  const broken: string[] = [];
  const outside: string[] = [];
  const budget = createBudget(folder);
  const read = (below: string, above: readonly string[]): void => {
    const here = realpathSync(join(root, below));
    if (above.includes(here)) return void broken.push(below);
    for (const name of readdirSync(here).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      budget.countEntry();
      if (left.test(name) || (below === '' && built.test(name))) continue;
      const stat = readStats(join(root, path));
      if (!stat) broken.push(path);
      else if (!isInside(realpathSync(join(root, path)), root)) outside.push(path);
      else if (stat.isDirectory()) read(path, [...above, here]);
      else if (stat.isFile()) files.set(path, budget.read(path, realpathSync(join(root, path))));
    }
  };
  read('', []);
  return { files, broken, outside };
}

const isInside = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** Counts what was read, and refuses more than the limits. */
function createBudget(folder: string) {
  let entries = 0;
  let total = 0;
  const refuse = (reason: string): UserError =>
    new UserError(
      'folder-too-large',
      `${folder} is not read: ${reason}.`,
      'Name the folder of one integration, and remove from it what is not part of its source.',
    );
  return {
    countEntry() {
      if (++entries > limits.entries) throw refuse(`it has more than ${limits.entries} files and folders`);
    },
    read(path: string, real: string): Uint8Array {
      let bytes: Uint8Array;
      try {
        bytes = readRegularFile(real, limits.fileBytes);
      } catch (error) {
        if (error instanceof RangeError) throw refuse(`${path}: ${error.message}`);
        throw error;
      }
      total += bytes.length;
      if (total > limits.totalBytes)
        throw refuse(`its files have more than ${limits.totalBytes} bytes (${path})`);
      return bytes;
    },
  };
}
