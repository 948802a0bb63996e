import type { Bundle } from '../bundle/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import type { Manifest } from '../manifest/index.js';
import type { ScriptFacts } from './probe/script-facts.js';
import type { Former } from './former.js';

/** Who is to install it: everyone, whoever has the link, the own organization. */
export type Target = 'marketplace' | 'link' | 'organization';

/** All that is known of what would be submitted. Checks look at nothing else. */
export interface Submission {
  manifest: Manifest;
  target: Target;
  /** What building said; empty where there is nothing to build. */
  building: Diagnostic[];
  bundle: Bundle | undefined;
  /** The author's own sources; nothing where only the built script is known. */
  sources: Source[] | undefined;
  /** Paths of sources that lie neither in the folder nor in a package. */
  outside: string[];
  /** What running it showed; nothing where it could not be built. */
  facts: ScriptFacts | undefined;
  assets: Asset[];
  /** Of package.json. */
  version: string | undefined;
  /** What it is compared with. */
  former: Former | undefined;
}

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
