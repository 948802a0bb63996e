import { basename } from 'node:path';
import { gitbook } from './gitbook.js';

/**
 * What differs for a project that was made for another platform and runs here as it is. A profile is data: the rest of the
 * code asks which profile a project has, and never which platform it is for.
 */
export interface Profile {
  /** The name of the family's manifest. */
  manifest: string;
  /** How the family is called in messages. */
  name: string;
  /** The package with the family's runtime. Undefined if the family is unknown. */
  runtime?: string;
  /** The package that JSX is compiled for. The project's tsconfig decides if this is undefined. */
  jsx?: string;
  /** How the family's own tool bundles a script. */
  conditions: string[];
  mainFields: string[];
  define: Record<string, string>;
  /** Endings of files that are imported as text. */
  text: string[];
  /** The settings of the family's production runtime. */
  compatibilityDate?: string;
  compatibilityFlags: string[];
  /** Scripts read the organization's id in the installation's `target`. */
  organizationInTarget?: true;
  /** The hidden folder with the images of pages, and with text that pages include. */
  assets?: string;
  /** Secrets that the manifest keeps in a vault, and the command that prints one. */
  vault?: { scheme: string; command: string[] };
}

/** The assumptions about a family that has no profile: those of most bundlers for workers. */
const general: Omit<Profile, 'manifest' | 'name'> = {
  conditions: ['worker', 'browser', 'import', 'production'],
  mainFields: ['worker', 'browser', 'module', 'main'],
  define: { 'process.env.NODE_ENV': '"production"', MODE: '"production"' },
  text: ['.raw.js', '.raw.css'],
  compatibilityFlags: ['nodejs_compat'],
};

const families: readonly Profile[] = [{ ...general, ...gitbook }];

/** Whether a file has the name of a manifest in a family that has a profile. */
export const isFamilyManifest = (name: string): boolean => families.some(({ manifest }) => manifest === name);

/** The hidden folders that pages may use files from. */
export const assetFolders: readonly string[] = families.flatMap(({ assets = [] }) => assets);

export const manifestFileName = 'platform-manifest.yaml';

/** Matches the file name of a manifest on similar platforms. */
export const manifestName = /^\.?[\w.]+-manifest\.ya?ml$/;

/** Returns the profile of the project with this manifest. Undefined if the project was made for this platform. */
export function profileOf(manifestFile: string): Profile | undefined {
  const manifest = basename(manifestFile);
  if (manifest === manifestFileName || !manifestName.test(manifest)) return undefined;
  const name = manifest.replace(/^\.|-manifest\.ya?ml$/g, '');
  return families.find((family) => family.manifest === manifest) ?? { ...general, manifest, name };
}
