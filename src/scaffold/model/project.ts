import type { PackageManager } from './package-managers.js';
import type { Template } from './template-list.js';

export const languages = ['ts', 'js'] as const;
export type Language = (typeof languages)[number];

export const visibilities = ['private', 'unlisted', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

export interface Project {
  template: Template;
  name: string;
  title: string;
  description: string;
  organization: string;
  visibility: Visibility;
  scopes: readonly string[];
  language: Language;
  packageManager: PackageManager;
  /** Where the dependencies will be installed, such as `../../node_modules`. */
  nodeModules: string;
  /** The version or location of this package, as written in package.json. */
  sdk: string;
  secretValues: Readonly<Record<string, string>>;
}
