import { dirname, resolve } from 'node:path';
import type { Diagnostic, Source } from '../../diagnostics/model/diagnostic.js';
import type { SessionEvent } from '../events/session-event.js';
import type { FileChanges } from './file-changes.js';
import { dotenvFiles, loadManifest, namedFiles, type Manifest } from '../../manifest/index.js';

export interface ProjectOptions {
  manifestFile: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `.env` in the manifest's folder by default. */
  dotenv?: string;
  /** An environment in `envs` in the manifest. */
  environment?: string;
}

export interface Project {
  manifest: Manifest;
  /** The absolute path of the script, if the manifest specifies one. */
  entry: string | undefined;
}

export interface LoadedProject {
  project: Project | undefined;
  diagnostics: Diagnostic[];
  sources: ReadonlyMap<string, Source>;
  /** The files that the project is loaded from. Some may not exist. */
  files: string[];
}

/** Loads the manifest and the files that it refers to. If the script is missing, the bundler reports it. */
export function loadProject({ manifestFile, env, dotenv, environment }: ProjectOptions): LoadedProject {
  const given = {
    file: manifestFile,
    ...(dotenv !== undefined && { dotenv }),
    ...(environment !== undefined && { environment }),
  };
  const { diagnostics, source, ...loaded } = loadManifest({ ...given, env });
  const sources = new Map([[manifestFile, source]]);
  const own = [manifestFile, ...dotenvFiles(given)];
  if (!loaded.ok) {
    const files = [...own, ...namedFiles(manifestFile, source.text)];
    return { project: undefined, diagnostics, sources, files };
  }
  const { script } = loaded.value.integration;
  const entry = script === undefined ? undefined : resolve(dirname(manifestFile), script);
  return { project: { manifest: loaded.value, entry }, diagnostics, sources, files: own };
}

/** Without a valid manifest, there is no integration. If the session may wait, it waits until the manifest is valid. */
export async function firstProject(
  options: ProjectOptions,
  waiting: FileChanges | undefined,
  tell: (event: SessionEvent) => void,
): Promise<Project | undefined> {
  for (;;) {
    const { project, diagnostics, sources, files } = loadProject(options);
    if (project) return project;
    tell({ type: 'broken', what: 'manifest', diagnostics, sources });
    if (!waiting) return undefined;
    waiting.watch(files);
    await waiting.next();
  }
}
