import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../diagnostics/index.js';
import { loadManifest, type Manifest } from '../../manifest/index.js';
import type { Language } from '../project.js';

/** A project that pieces are added to. Paths are relative to its folder. */
export interface ExistingProject {
  folder: string;
  manifest: Manifest;
  language: Language;
  /** The entry file; a project without a script has none. */
  entry: string | undefined;
  /** `undefined` where there is no such file. */
  read(path: string): string | undefined;
}

export function openProject(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): ExistingProject {
  const loaded = loadManifest({ file, env });
  const folder = dirname(file);
  if (!loaded.ok) {
    throw new UserError(
      'broken-manifest',
      'The manifest has mistakes, so nothing is added to it.',
      'Run "platform validate" and mend them first.',
    );
  }
  const { script } = loaded.value.integration;
  const read = (path: string): string | undefined =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined;
  return {
    folder,
    manifest: loaded.value,
    language: script === undefined || /\.[cm]?tsx?$/.test(script) ? 'ts' : 'js',
    entry: script,
    read,
  };
}
