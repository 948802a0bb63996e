import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { renderDiff, UserError } from '../diagnostics/index.js';
import { parseManifest } from '../manifest/index.js';
import { toBytes, toText, type ProjectFiles } from './project-files.js';
import { rewriteSource } from './rewrite-source.js';

export interface ImportedProject {
  files: ProjectFiles;
  diff: string;
  /** What the author has to look at. */
  unmapped: string[];
}

const sdk = 'integration-platform';
const skipped = /^(node_modules|\.git|dist|build|\.env)$/;
const isSource = (path: string): boolean =>
  /\.[cm]?[jt]sx?$/.test(path) || /(^|\/)tsconfig\.json$/.test(path);

/** An integration of this kind, from elsewhere: its manifest and its imports become this platform's. */
export function importProject(from: string, sdkSpec: string): ImportedProject {
  const before = readFiles(from);
  const manifests = [...before.keys()].filter((path) => /^[\w.]+-manifest\.ya?ml$/.test(path));
  const [manifestPath] = manifests;
  if (manifestPath === undefined || manifests.length > 1) {
    throw new UserError(
      'no-manifest',
      `There is ${manifests.length > 1 ? 'more than one' : 'no'} manifest in ${from}.`,
      'Its name ends in -manifest.yaml, and it lies in the folder itself.',
    );
  }
  const runtime = findRuntime(before);
  const files = new Map<string, Uint8Array>();
  const unmapped: string[] = [];
  let diff = '';
  for (const [path, bytes] of before) {
    const target = path === manifestPath ? 'platform-manifest.yaml' : path;
    const text = toText(bytes);
    const rewritten = rewrite(path, text, { manifestPath, runtime, sdkSpec });
    files.set(target, rewritten.text === text ? bytes : toBytes(rewritten.text));
    unmapped.push(...rewritten.unmapped.map((note) => `${target}: ${note}`));
    if (rewritten.text !== text) diff += renderDiff(target, { text }, { text: rewritten.text });
  }
  const { diagnostics } = parseManifest(toText(files.get('platform-manifest.yaml') ?? new Uint8Array()));
  for (const { message, range, severity } of diagnostics) {
    if (severity !== 'info') unmapped.push(`platform-manifest.yaml:${range?.start.line ?? 1}: ${message}`);
  }
  if (runtime === undefined)
    unmapped.push('No source imports createIntegration, so no import was rewritten.');
  return { files, diff, unmapped };
}

function readFiles(folder: string): Map<string, Uint8Array> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError('no-such-folder', `There is no folder ${folder}.`);
  }
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.split(sep).some((part) => skipped.test(part)))
    .filter((path) => statSync(join(folder, path)).isFile());
  return new Map(paths.sort().map((path) => [path.split(sep).join('/'), readFileSync(join(folder, path))]));
}

/** The package that `createIntegration` comes from. */
function findRuntime(files: ReadonlyMap<string, Uint8Array>): string | undefined {
  for (const [path, bytes] of files) {
    if (!isSource(path)) continue;
    const found = /import\s*\{[^}]*\bcreateIntegration\b[^}]*\}\s*from\s*['"]([^'"]+)['"]/.exec(
      toText(bytes),
    );
    if (found?.[1] !== undefined && !found[1].startsWith('.')) return found[1];
  }
  return undefined;
}

interface Origin {
  manifestPath: string;
  runtime: string | undefined;
  sdkSpec: string;
}

function rewrite(
  path: string,
  text: string,
  { manifestPath, runtime, sdkSpec }: Origin,
): { text: string; unmapped: string[] } {
  if (path === manifestPath) return { text: withSchema(text), unmapped: [] };
  if (runtime === undefined) return { text, unmapped: [] };
  if (path === 'package.json') return rewritePackage(text, runtime, sdkSpec);
  return isSource(path) ? rewriteSource(text, runtime) : { text, unmapped: [] };
}

const schemaLine = `# yaml-language-server: $schema=./node_modules/${sdk}/schemas/platform-manifest.schema.json\n`;

const withSchema = (text: string): string =>
  schemaLine + text.replace(/^#\s*yaml-language-server:.*\r?\n/m, '');

/** Packages of the former platform go; what the scripts call is for the author to say. */
function rewritePackage(
  text: string,
  runtime: string,
  sdkSpec: string,
): { text: string; unmapped: string[] } {
  const scope = runtime.startsWith('@') ? `${runtime.split('/')[0]}/` : runtime;
  const content = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
  const unmapped: string[] = [];
  for (const kind of ['dependencies', 'devDependencies']) {
    const entries = Object.entries(content[kind] ?? {});
    if (entries.length === 0) continue;
    content[kind] = Object.fromEntries(entries.filter(([name]) => !name.startsWith(scope)));
  }
  content['devDependencies'] = { ...content['devDependencies'], [sdk]: sdkSpec };
  for (const [name, command] of Object.entries(content['scripts'] ?? {})) {
    unmapped.push(
      `the script "${name}" is "${command}": call platform in it where it called another command.`,
    );
  }
  return { text: `${JSON.stringify(content, null, 2)}\n`, unmapped };
}
