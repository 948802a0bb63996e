import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../base/user-error.js';
import { manifestFileName, parseManifest } from '../../manifest/index.js';
import { readRegularFile } from '../../base/node/regular-file.js';
import type { Integration } from '../../protocol/integration.js';

/** What the integration was when it was last submitted. */
export interface Baseline {
  /** As the person named it. */
  name: string;
  integration: Integration;
  /** Names of the secrets. */
  secrets: string[];
  /** Of package.json, where there was one. */
  version: string | undefined;
}

/** From another folder, or from the same folder at a commit. */
export async function readBaseline(
  name: string,
  { cwd, folder }: { cwd: string; folder: string },
): Promise<Baseline> {
  const other = resolve(cwd, name);
  const read = existsSync(join(other, manifestFileName))
    ? async (path: string) => readText(join(other, path))
    : (path: string) => readGitFile(folder, name, path);
  const text = await read(manifestFileName);
  if (text === undefined) {
    throw new UserError(
      'no-former',
      `There is no ${manifestFileName} in "${name}".`,
      'Give --against a folder with one, or a commit, branch or tag of this repository.',
    );
  }
  const loaded = parseManifest(text);
  if (!loaded.ok) {
    throw new UserError(
      'broken-former',
      `The manifest in "${name}" has mistakes, so it can't be compared with.`,
    );
  }
  const { integration, secrets } = loaded.value;
  return {
    name,
    integration,
    secrets: secrets.map((one) => one.name),
    version: versionIn(await read('package.json')),
  };
}

const readText = (file: string): string | undefined =>
  existsSync(file) ? readRegularFile(file, maxTextBytes).toString('utf8') : undefined;

/** Of a manifest and of package.json. */
export const maxTextBytes = 256 * 1024;

export function versionIn(packageJson: string | undefined): string | undefined {
  try {
    const { version } = JSON.parse(packageJson ?? '{}') as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** A file as it is in a commit, relative to the folder. Nothing where there is none. */
async function readGitFile(folder: string, ref: string, path: string): Promise<string | undefined> {
  const { execa } = await import('execa');
  const { stdout, exitCode } = await execa('git', ['show', '--end-of-options', `${ref}:./${path}`], {
    cwd: folder,
    reject: false,
    stripFinalNewline: false,
  });
  return exitCode === 0 ? stdout : undefined;
}
