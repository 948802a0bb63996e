import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseJson } from '../../base/parse-json.js';
import { textAt } from '../../base/value-at-path.js';
import { UserError } from '../../base/user-error.js';
import { parseManifest } from '../../manifest/index.js';
import { readRegularFile } from '../../base/node/regular-file.js';
import { explainMissingBaseline } from './explain-missing-baseline.js';
import { runGit } from './run-git.js';
import { readPack } from '../packed/unpack.js';
import type { Integration } from '../../protocol/integration.js';

export interface Baseline {
  /** The baseline as the user specified it. */
  name: string;
  integration: Integration;
  secrets: string[];
  version: string | undefined;
}

/** Reads the baseline from another folder, from a packed submission, or from the same folder at a specific commit. */
export async function readBaseline(
  name: string,
  { cwd, file }: { cwd: string; file: string },
): Promise<Baseline> {
  const [folder, other] = [dirname(file), resolve(cwd, name)];
  const manifestName = basename(file);
  const read = readerOf(other, manifestName) ?? ((path: string) => readGitFile(folder, name, path));
  const text = await read(manifestName);
  if (text === undefined) throw await explainMissingBaseline({ name, path: other, folder, manifestName });
  const loaded = parseManifest(text, manifestName);
  if (!loaded.ok) {
    throw new UserError('broken-former', `Cannot compare with "${name}", because its manifest has errors.`);
  }
  const { integration, secrets } = loaded.value;
  return {
    name,
    integration,
    secrets: secrets.map((one) => one.name),
    version: versionIn(await read('package.json')),
  };
}

type Read = (path: string) => string | undefined | Promise<string | undefined>;

/** Returns undefined if nothing at this path can serve as a baseline. */
function readerOf(other: string, manifestName: string): Read | undefined {
  if (existsSync(join(other, manifestName))) return (path) => readText(join(other, path));
  if (!statSync(other, { throwIfNoEntry: false })?.isFile()) return undefined;
  const packed = new Map(readPack(other, other).map(({ path, bytes }) => [path, bytes]));
  return (path) => {
    const bytes = packed.get(path);
    return bytes && Buffer.from(bytes).toString('utf8');
  };
}

const readText = (file: string): string | undefined =>
  existsSync(file) ? readRegularFile(file, maxTextBytes).toString('utf8') : undefined;

export const maxTextBytes = 256 * 1024;

export const versionIn = (packageJson = ''): string | undefined =>
  textAt(parseJson(packageJson, undefined), 'version');

/** Reads a file at a commit. The path is relative to the folder. Resolves to undefined if the file does not exist there. */
const readGitFile = async (folder: string, ref: string, path: string): Promise<string | undefined> =>
  ref.startsWith('-') ? undefined : runGit(folder, ['cat-file', 'blob', `${ref}:./${path}`], maxTextBytes);
