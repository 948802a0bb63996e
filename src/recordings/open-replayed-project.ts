import type { RuntimeName } from '../protocol/runtime-names.js';
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { bundleOnce } from '../bundle/index.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import { relativePath } from '../base/node/relative-path.js';
import { UserError } from '../base/user-error.js';
import { loadDevSettings, loadManifest } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';
import { requireRuntime, runtimes, type RunReplay } from '../sandbox/index.js';

/** A line in one of the author's source files. */
export interface SourceLine {
  /** Relative to the project's folder, with slashes. */
  path: string;
  line: number;
  text: string;
}

/** A project with the current build, for replaying recordings. */
export interface ReplayedProject {
  folder: string;
  /** The name in the manifest's `envs`, if any. */
  environment?: string | undefined;
  /** Returns the same project with another environment. */
  withEnvironment(name: string | undefined): Promise<ReplayedProject>;
  integration: Integration;
  /** The names of the secrets that the manifest declares. */
  declared: string[];
  script: { code: string; map: string };
  /** Absolute paths of the author's own source files. */
  sources: string[];
  /** Returns the lines of all sources. Only replays with differences need them, so the first call reads them. */
  sourceLines(): readonly SourceLine[];
  run: RunReplay;
}

export interface OpenOptions {
  /** Absolute path of the manifest. */
  file: string;
  /** A name in the manifest's `envs`. */
  environment?: string | undefined;
  /** The runtime in the dev settings by default. */
  runtime?: RuntimeName | undefined;
  node: string;
  package: { folder: string; version: string };
}

/**
 * Reads the manifest and builds the script. Reads neither `.env` nor the secrets' environment variables, because a replay uses
 * the made-up values in its recording.
 */
export async function openReplayedProject(options: OpenOptions): Promise<ReplayedProject> {
  const { file, environment, node, package: own } = options;
  const folder = dirname(file);
  const manifest = loadManifest({ file, dotenv: false, ...(environment !== undefined && { environment }) });
  if (!manifest.ok) throw problemsIn(folder, 'manifest', manifest.diagnostics, 'platform validate');
  const settings = loadDevSettings(folder);
  if (!settings.ok) throw problemsIn(folder, 'dev settings', settings.diagnostics, 'platform validate');
  const { integration, secrets, profile } = manifest.value;
  const {
    compatibilityDate = profile?.compatibilityDate,
    compatibilityFlags = profile?.compatibilityFlags,
    runtime = 'node',
  } = settings.value;
  const name = options.runtime ?? runtime;
  if (integration.script === undefined)
    throw new UserError(
      'no-script',
      'The manifest does not specify a script, so no calls can be replayed.',
      'Set `script` in it.',
    );
  const search = { folder, node, package: own, compatibilityDate, compatibilityFlags };
  const run = requireRuntime(name, await runtimes[name].replay(search), folder);
  const built = await bundleOnce({
    entry: resolve(folder, integration.script),
    folder,
    sdk: { folder: own.folder },
    nodeModules: profile !== undefined || runtimes[name].allowsNodeModules(compatibilityFlags),
    profile,
  });
  if (!built.ok) throw problemsIn(folder, 'script', built.diagnostics, 'platform dev');
  const { code, map, files } = built.value;
  const sources = files.filter((path) => path.startsWith(folder) && !path.includes('node_modules'));
  let lines: SourceLine[] | undefined;
  return {
    folder,
    environment,
    withEnvironment: (name) => openReplayedProject({ ...options, environment: name }),
    integration,
    declared: secrets.map((secret) => secret.name),
    script: { code, map },
    sources,
    sourceLines: () => (lines ??= readLines(folder, sources)),
    run,
  };
}

const readLines = (folder: string, sources: readonly string[]): SourceLine[] =>
  sources.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((text, index) => ({ path: relative(folder, path).replaceAll('\\', '/'), line: index + 1, text })),
  );

function problemsIn(
  folder: string,
  what: string,
  diagnostics: readonly Diagnostic[],
  next: string,
): UserError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const at = first && relativePath(folder, first.file) + (first.range ? `:${first.range.start.line}` : '');
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new UserError(
    'broken-project',
    `Nothing was replayed, because of an error in the ${what}. ${at}: ${first?.message}${more}`,
    `See them with: ${next}`,
  );
}
