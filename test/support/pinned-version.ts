import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string> | undefined
>;

/** What package.json says about the version of a package. */
export const pinnedVersion = (name: string): string | undefined =>
  manifest['dependencies']?.[name] ?? manifest['devDependencies']?.[name];
