import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string> | undefined
>;

/** Returns the version of a package that package.json specifies. */
export const pinnedVersion = (name: string): string | undefined =>
  manifest['dependencies']?.[name] ?? manifest['devDependencies']?.[name];
