import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { relativePath } from '../../base/node/relative-path.js';
import { UserError } from '../../base/user-error.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import { loadManifest, manifestFileName, type Manifest } from '../../manifest/index.js';
import { decodeText } from '../files/decode-text.js';
import { asUserError } from '../files/file-errors.js';
import type { Language } from '../model/project.js';
import { readRegularFile } from '../../base/node/regular-file.js';
import { createLocator } from '../../manifest/yaml/locate-problem.js';

/** An existing project. Paths are relative to its folder. */
export interface ExistingProject {
  folder: string;
  manifest: Manifest;
  language: Language;
  /** The entry file, or undefined if the project has no script. */
  entry: string | undefined;
  /** Returns undefined if the file does not exist. Throws if it is not UTF-8. */
  read(path: string): string | undefined;
}

export function openProject(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): ExistingProject {
  const loaded = loadManifest({ file, env });
  const folder = dirname(file);
  if (loaded.ok && loaded.value.profile)
    throw new UserError(
      'other-platform',
      `${basename(file)} is a manifest for another platform. Nothing was changed.`,
      'Change it by hand, or convert the project into a new folder: platform init <folder> --from .',
    );
  if (!loaded.ok) throw brokenManifest(folder, loaded.diagnostics);
  const { script } = loaded.value.integration;
  const read = (path: string): string | undefined => {
    try {
      return existsSync(join(folder, path))
        ? decodeText(readRegularFile(join(folder, path)), path)
        : undefined;
    } catch (error) {
      throw asUserError(error, path);
    }
  };
  return {
    folder,
    manifest: loaded.value,
    language: script === undefined || /\.[cm]?tsx?$/.test(script) ? 'ts' : 'js',
    entry: script,
    read,
  };
}

function brokenManifest(folder: string, diagnostics: readonly Diagnostic[]): UserError {
  const [first] = diagnostics.filter(({ severity }) => severity === 'error');
  const { file = folder, range, message = '' } = first ?? {};
  const position = [relativePath(folder, file), ...(range ? [range.start.line] : [])].join(':');
  return new UserError(
    'broken-manifest',
    `Nothing was changed, because the manifest has errors. The first one is in ${position}: ${message}`,
    'Fix them first. To list them all, run "platform validate".',
  );
}

interface Former {
  code: string;
  path: (string | number)[];
  what: string;
  hint?: string;
}

export function alreadyThere({ manifest }: ExistingProject, former: Former): UserError {
  const { code, path, what, hint = 'Edit the existing one, or choose another name.' } = former;
  const { line } = createLocator(manifest.text)(path, 'key').start;
  return new UserError(code, `${manifestFileName} already has ${what}, on line ${line}.`, hint);
}
