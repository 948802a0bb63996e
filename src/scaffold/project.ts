import type { PackageManager } from './tools/package-managers.js';
import type { Template } from './init/template-list.js';

export const languages = ['ts', 'js'] as const;
export type Language = (typeof languages)[number];

export const visibilities = ['private', 'unlisted', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** All that a new project is made from. */
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
  /** What package.json says of this package. */
  sdk: string;
  /** Values for `.env`, by name. */
  secretValues: Readonly<Record<string, string>>;
}
