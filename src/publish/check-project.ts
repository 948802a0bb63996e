import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  bundleOnce,
  checkSources,
  isOwnSource,
  startBundler,
  stopBundler,
  type Bundle,
} from '../bundle/index.js';
import type { Diagnostic, Source } from '../diagnostics/index.js';
import { loadManifest, type Manifest } from '../manifest/index.js';
import type { Integration } from '../protocol/integration.js';
import { maxTextBytes, readBaseline, type Baseline, versionIn } from './baseline/baseline.js';
import { probeScript } from './probe/probe-script.js';
import type { CreateProbeHost } from './probe/probe-host.js';
import {
  findProductionHost,
  type FindProduction,
  type Production,
  type ProductionHost,
} from './probe/production-host.js';
import type { RehearsedRecording } from './probe/rehearse-recordings.js';
import { createHide, maskChecked, maskSource, type Hide } from './mask-checked.js';
import { sandboxedHost, type ScriptProcess } from './probe/sandboxed-host.js';
import {
  readAssets,
  untriedScript,
  type Submission,
  type Target,
  type TriedScript,
} from './submission/submission.js';
import { readStats } from '../base/node/read-stats.js';
import { relativePath } from '../base/node/relative-path.js';
import { recordingsIn } from '../recordings/find-recordings.js';
import { readRegularFile } from '../base/node/regular-file.js';
import { findLeaks } from './submission/find-leaks.js';
import { sortSources } from './submission/read-sources.js';
import { runChecks, type CheckedSubmission, type Strictness } from './run-checks.js';

export interface CheckProjectOptions extends Strictness {
  /** Absolute path of the manifest. */
  file: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The name of an environment in the manifest's `envs`. */
  environment?: string | undefined;
  dotenv?: string | undefined;
  /** Stops the script's process, which also ends any checks waiting for it. */
  interrupted?: AbortSignal;
  target: Target;
  /** Other problems with this manifest, reported along with those that the checks find. */
  besideOthers?: readonly Diagnostic[] | undefined;
  /** A folder or commit to compare with. */
  against?: string | undefined;
  /** A folder with recordings to rehearse. */
  recordings?: string | undefined;
  /** The process that runs the recordings. */
  rehearsing?: Pick<ScriptProcess, 'node' | 'version'>;
  /** The folder of the package that contains the running command. */
  sdkFolder: string;
}

export interface CheckedProject extends CheckedSubmission {
  submission: Submission | undefined;
  sources: ReadonlyMap<string, Source>;
}

/**
 * Reads, builds and runs an integration, and checks everything that a reviewer would check. The script runs with the user's
 * permissions, but its outbound requests are blocked.
 */
export function checkProject({
  scriptProcess,
  ...options
}: CheckProjectOptions & { scriptProcess: ScriptProcess }): Promise<CheckedProject> {
  const childFile = join(options.sdkFolder, 'dist/sandbox/child/main.js');
  const findProduction: FindProduction = (manifest) =>
    findProductionHost(manifest, options.sdkFolder, scriptProcess);
  const rehearsing = { ...options, rehearsing: scriptProcess };
  return checkProjectIn(sandboxedHost({ ...scriptProcess, childFile }), rehearsing, findProduction);
}

/** Like `checkProject`, but the caller provides the host that runs the script. */
export async function checkProjectIn(
  createHost: CreateProbeHost,
  options: CheckProjectOptions,
  findProduction: FindProduction = async () => ({ nodeModules: false }),
): Promise<CheckedProject> {
  const { file, env, environment, dotenv, besideOthers = [] } = options;
  // Starts the process while the manifest is being read.
  startBundler();
  const { diagnostics, source, ...loaded } = loadManifest({
    file,
    env,
    ...(environment !== undefined && { environment }),
    ...(dotenv !== undefined && { dotenv }),
  });
  const sources = new Map([[file, source]]);
  const submission = loaded.ok
    ? await readSubmission(loaded.value, createHost, options, findProduction)
    : undefined;
  for (const { path, text } of submission?.sources ?? [])
    sources.set(join(folderOf(submission), path), { text });
  // If the build failed, there are no sources yet, so the files with build problems are read here.
  for (const finding of submission?.building ?? [])
    if (!sources.has(finding.file) && isOwnSource(folderOf(submission))(realPath(finding.file)))
      sources.set(finding.file, { text: readFileSync(finding.file, 'utf8') });
  const hide = createHide(submission?.manifest.integration.secrets ?? {});
  const checked = runChecks(file, [...diagnostics, ...besideOthers], submission, options);
  return {
    ...maskChecked(checked, hide),
    submission,
    sources: new Map([...sources].map(([path, shown]) => [path, maskSource(shown, hide)])),
  };
}

/** Symlinks can point to files outside the folder, and those files must stay private. */
const realPath = (file: string): string => (existsSync(file) ? realpathSync(file) : '');

const folderOf = (submission: Submission | undefined): string => submission?.manifest.folder ?? '';

async function readSubmission(
  manifest: Manifest,
  createHost: CreateProbeHost,
  options: CheckProjectOptions,
  findProduction: FindProduction,
): Promise<Submission> {
  const { target, against, interrupted } = options;
  const { folder, integration } = manifest;
  const packageFile = join(folder, 'package.json');
  // Read before the bundler reads it, because the bundler would wait forever on a FIFO.
  const version = existsSync(packageFile)
    ? versionIn(readRegularFile(packageFile, maxTextBytes).toString('utf8'))
    : undefined;
  const { script } = integration;
  const tried =
    script === undefined
      ? untriedScript
      : await tryScript(manifest, script, createHost, options, await findProduction(manifest));
  const former = against === undefined ? undefined : await readBaseline(against, options);
  const rehearsed =
    options.recordings === undefined ? undefined : await rehearseBuilt(manifest, tried, options, former);
  const submission = {
    manifest,
    target,
    packed: undefined,
    ...tried,
    assets: readAssets(manifest),
    version,
    ...(rehearsed && { rehearsed }),
    ...(against !== undefined && !rehearsed && findUnusedRecordings(folder, options.cwd)),
    former,
  };
  return { ...submission, leaks: await findLeaks(submission, interrupted) };
}

function findUnusedRecordings(folder: string, cwd: string): Pick<Submission, 'unusedRecordings'> {
  const recordings = join(folder, 'recordings');
  const isThere = readStats(recordings)?.isDirectory() && recordingsIn(recordings).length > 0;
  return isThere ? { unusedRecordings: relativePath(cwd, recordings) } : {};
}

async function rehearseBuilt(
  manifest: Manifest,
  { bundle }: TriedScript,
  { recordings = '', cwd, sdkFolder, rehearsing, interrupted }: CheckProjectOptions,
  former: Baseline | undefined,
): Promise<RehearsedRecording[]> {
  if (!bundle || !rehearsing) return [];
  const { rehearseRecordings } = await import('./probe/rehearse-recordings.js');
  return rehearseRecordings(manifest, bundle, {
    recordings,
    cwd,
    ...(former && { former: former.integration }),
    node: rehearsing.node,
    package: { folder: sdkFolder, version: rehearsing.version },
    ...(interrupted && { signal: interrupted }),
  });
}

/** Builds the script, checks its sources and runs it. The script's process is started during the build. */
async function tryScript(
  { folder, integration, secrets, profile }: Manifest,
  script: string,
  createHost: CreateProbeHost,
  { sdkFolder, interrupted }: CheckProjectOptions,
  { nodeModules, host: production, unusable }: Production,
): Promise<TriedScript> {
  const hide = createHide(integration.secrets);
  const starting = nodeModules ? undefined : createHost(hide);
  const close = async (): Promise<void> => (await starting)?.close();
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => {
      reject(interrupted?.reason as Error);
      stopBundler();
      void close();
    };
  });
  // After the build, the checks end when the script's process is stopped.
  stopped.catch(() => {});
  interrupted?.addEventListener('abort', stop);
  try {
    const building = Promise.all([
      bundleOnce({
        entry: resolve(folder, script),
        folder,
        sdk: { folder: sdkFolder },
        nodeModules: nodeModules || profile !== undefined,
        profile,
      }),
      starting,
    ]);
    // A build that has been cancelled may never settle.
    const [built, host] = await Promise.race([building, stopped]);
    const bundle = built.ok ? built.value : undefined;
    const sorted = bundle && sortSources(bundle, folder);
    const own = sorted?.own.map(({ path, text }) => ({ file: join(folder, path), text })) ?? [];
    const values = secrets.map(({ name }) => [name, integration.secrets[name] ?? 'unset'] as const);
    const probed = { ...integration, secrets: Object.fromEntries(values) };
    const [inNode, checked] = await Promise.all([
      bundle && host && probeScript(bundle, probed, host, profile),
      checkSources(built.diagnostics, own),
    ]);
    const inWorkerd =
      bundle && production && (await tryInProduction(bundle, probed, production, hide, profile));
    return {
      ...checked,
      ...((nodeModules || profile) && { apis: [] }),
      bundle,
      sources: sorted?.own,
      outside: sorted?.outside ?? [],
      nodeModules,
      facts: nodeModules ? inWorkerd?.facts : inNode,
      production: inWorkerd,
      ...(unusable && { unusable }),
    };
  } finally {
    interrupted?.removeEventListener('abort', stop);
    await close();
  }
}

async function tryInProduction(
  bundle: Bundle,
  integration: Integration,
  { version, create }: ProductionHost,
  hide: Hide,
  profile: Manifest['profile'],
): Promise<Submission['production']> {
  const host = await create(hide);
  try {
    return { version, facts: await probeScript(bundle, integration, host, profile) };
  } finally {
    await host.close();
  }
}
