import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Diagnostic, Source } from '../diagnostics/index.js';
import { loadManifest, manifestFileName, type Manifest } from '../manifest/index.js';
import type { CheckedProject } from './check-project.js';
import { readBaseline } from './baseline/baseline.js';
import { readAssets, untriedScript, type Submission, type Target } from './submission/submission.js';
import { runChecks, type Strictness } from './run-checks.js';
import { findLeaks } from './submission/find-leaks.js';
import { readPack, withUnpacked } from './packed/unpack.js';

export interface CheckPackedOptions extends Strictness {
  /** Absolute path of the packed file. */
  archive: string;
  /** The path as the user specified it. */
  shown: string;
  cwd: string;
  target: Target;
  against?: string;
  /** A folder with recordings. They are not rehearsed, because code from a packed file is never run. */
  recordings?: string;
  interrupted: AbortSignal;
}

/** Checks a packed submission. Its code is never built or run, and the environment variables of this machine are not used. */
export async function checkPacked(options: CheckPackedOptions): Promise<CheckedProject> {
  const { archive, shown, cwd, target, against, recordings, interrupted } = options;
  const packed = readPack(archive, shown);
  const file = join(archive, manifestFileName);
  const { diagnostics, source, manifest, assets } = withUnpacked(packed, (folder) => read(folder, file));
  // Lets Node handle a signal that arrived while the files were being read.
  await setImmediate();
  interrupted.throwIfAborted();
  const former =
    manifest && against !== undefined
      ? await readBaseline(against, { cwd, file: join(cwd, manifestFileName) })
      : undefined;
  const content = manifest && {
    manifest,
    target,
    packed,
    assets,
    former,
    ...(recordings !== undefined && { rehearsed: [] }),
    ...untriedScript,
    version: undefined,
  };
  const submission: Submission | undefined = content && {
    ...content,
    leaks: await findLeaks(content, interrupted),
  };
  const sources = new Map<string, Source>([[file, source]]);
  return { ...runChecks(file, diagnostics, submission, options), submission, sources };
}

/** Identifies files by their path in the archive instead of their path in the temporary folder. */
function read(folder: string, file: string) {
  const { diagnostics, source, ...loaded } = loadManifest({ file: join(folder, manifestFileName) });
  const own = diagnostics
    // A packed submission does not contain the values of secrets.
    .filter(({ code }) => code !== 'manifest/unset-secret')
    .map((one): Diagnostic => ({ ...one, file }));
  const manifest: Manifest | undefined = loaded.ok
    ? { ...loaded.value, file, folder: join(file, '..') }
    : undefined;
  return { diagnostics: own, source, manifest, assets: loaded.ok ? readAssets(loaded.value) : [] };
}
