import type { Bundle, CheckedSources } from '../../bundle/index.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import { readImageInfo, type Manifest } from '../../manifest/index.js';
import type { ScriptFacts } from '../probe/script-facts.js';
import type { Baseline } from '../baseline/baseline.js';
import type { TarFile } from '../packed/tar-headers.js';
import type { OutsideSource, Source } from './read-sources.js';
import type { RehearsedRecording } from '../probe/rehearse-recordings.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';

/** Who can install the integration: everyone, anyone with the link, or only its own organization. */
export type Target = 'marketplace' | 'link' | 'organization';

/** Everything that checks know about the submission. They do not read anything else. */
export interface Submission {
  manifest: Manifest;
  target: Target;
  /** Problems that the build has found. Empty if there is nothing to build. */
  building: Diagnostic[];
  bundle: Bundle | undefined;
  /** Where the author's sources use APIs that are missing or blocked in production. */
  apis: Diagnostic[];
  /** Comments in the sources that ignore a problem, keyed by the absolute path of the source file. */
  comments: CheckedSources['comments'];
  /** The files in a packed submission, which are never built or run. */
  packed: readonly TarFile[] | undefined;
  /** The author's own source files, if the script was built from them. */
  sources: Source[] | undefined;
  /** Source files that are neither in the folder nor in a package. */
  outside: OutsideSource[];
  /** Whether `nodejs_compat` is set. If it is, Node modules are allowed and the script runs only in workerd. */
  nodeModules: boolean;
  facts: ScriptFacts | undefined;
  /** What was learned by running the script in workerd, if workerd is installed. */
  production: { version: string; facts: ScriptFacts } | undefined;
  /** Why the installed workerd cannot run the script. */
  unusable?: string;
  assets: Asset[];
  version: string | undefined;
  /** The version to compare with. */
  former: Baseline | undefined;
  /** The results of running recorded calls with this version, if they were requested. */
  rehearsed?: RehearsedRecording[];
  /** A folder with recordings that could be run, if the user has not asked for that. */
  unusedRecordings?: string;
  /** Secrets found in the files that would be packed. */
  leaks: Leaks;
}

export type TriedScript = Pick<
  Submission,
  | 'building'
  | 'bundle'
  | 'apis'
  | 'comments'
  | 'sources'
  | 'outside'
  | 'nodeModules'
  | 'facts'
  | 'production'
  | 'unusable'
>;

/** Used if the script does not exist or was not run. */
export const untriedScript: TriedScript = {
  building: [],
  bundle: undefined,
  apis: [],
  comments: new Map(),
  sources: undefined,
  outside: [],
  nodeModules: false,
  facts: undefined,
  production: undefined,
};

/** Secrets of the same kind in the same file. */
export interface Leak {
  kind: string;
  /** The number of other secrets of this kind in the file. */
  more: number;
  /** The line of the first occurrence, if the file can be opened in an editor. */
  line?: number;
  shown: string;
  /** An absolute path. If it is absent, the problem is reported at `script` in the manifest. */
  file?: string;
  generated: boolean;
}

export interface Leaks {
  found: Leak[];
  files: number;
}

/** An image that the manifest lists. */
export interface Asset {
  role: 'icon' | 'preview';
  path: string;
  where: readonly (string | number)[];
  bytes: Uint8Array;
  format: string | undefined;
  width: number | undefined;
  height: number | undefined;
}

const maxPictureBytes = 16 * 1024 * 1024;

export function readAssets({ folder, integration }: Manifest): Asset[] {
  const { icon, previewImages } = integration;
  const named: Pick<Asset, 'role' | 'path' | 'where'>[] = [
    ...(icon === undefined ? [] : [{ role: 'icon' as const, path: icon, where: ['icon'] }]),
    ...previewImages.map((path, index) => ({
      role: 'preview' as const,
      path,
      where: ['previewImages', index],
    })),
  ];
  return named
    .filter(({ path }) => existsSync(join(folder, path)))
    .map((asset) => {
      const file = join(folder, asset.path);
      const { format, width, height } = readImageInfo(file) ?? {};
      return { ...asset, bytes: readRegularFile(file, maxPictureBytes), format, width, height };
    });
}
