import type { Bundle, CheckedSources } from '../../bundle/index.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import { readImageInfo, type Manifest } from '../../manifest/index.js';
import type { ScriptFacts } from '../probe/script-facts.js';
import type { Baseline } from '../baseline/baseline.js';
import type { TarFile } from './tar-headers.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../../base/node/regular-file.js';

/** Who is to install it: everyone, whoever has the link, the own organization. */
export type Target = 'marketplace' | 'link' | 'organization';

/** All that is known of what would be submitted. Checks read nothing else. */
export interface Submission {
  manifest: Manifest;
  target: Target;
  /** What building said; empty where there is nothing to build. */
  building: Diagnostic[];
  bundle: Bundle | undefined;
  /** Uses of APIs that production lacks or refuses, in the author's sources. */
  apis: Diagnostic[];
  /** Comments in the sources that ignore a finding, by absolute path. */
  comments: CheckedSources['comments'];
  /** The files of a packed submission. These are only read: nothing is built or run. */
  packed: readonly TarFile[] | undefined;
  /** The author's own sources, if the script was built from them. */
  sources: Source[] | undefined;
  /** Paths of sources that lie neither in the folder nor in a package. */
  outside: string[];
  /** `nodejs_compat` is set: Node's modules are not refused, and the script runs in workerd only. */
  nodeModules: boolean;
  /** What running the script showed, if it was run. */
  facts: ScriptFacts | undefined;
  /** What running it in workerd showed, where that is installed. */
  production: { version: string; facts: ScriptFacts } | undefined;
  assets: Asset[];
  /** Of package.json. */
  version: string | undefined;
  /** What it is compared with. */
  former: Baseline | undefined;
}

/** What building and running the script shows. */
export type TriedScript = Pick<
  Submission,
  'building' | 'bundle' | 'apis' | 'comments' | 'sources' | 'outside' | 'nodeModules' | 'facts' | 'production'
>;

/** A script that is not there, or is not tried. */
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

export interface Source {
  /** Relative to the folder. */
  path: string;
  text: string;
}

/** A picture that the manifest names. */
export interface Asset {
  role: 'icon' | 'preview';
  /** As the manifest has it. */
  path: string;
  where: readonly (string | number)[];
  bytes: Uint8Array;
  format: string | undefined;
  width: number | undefined;
  height: number | undefined;
}

const maxPictureBytes = 16 * 1024 * 1024;

/** The pictures that the manifest names and that exist. */
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
