import { toText, type ProjectFiles } from '../../files/files-in-memory.js';

/** The platform that an integration comes from, judging by its sources. */
export interface Origin {
  runtime: string;
  /** The prefix of that platform's packages, such as `@acme/`. */
  scope: string | undefined;
  /** The platform's command, as written in scripts. */
  command: string | undefined;
}

export const isSource = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith('.d.ts');

const clause = /\bimport\s*\{(?=[^{}]*\bcreateIntegration\b)[^{}]*\}\s*from\s*['"]([^'"\n]+)['"]/g;
const runtimePackage = /\bfrom\s*['"](@[\w.-]+\/runtime)['"]/g;

/** The scope becomes part of regular expressions, so it must not contain special characters. */
const packageName = /^(?:@[\w-][\w.-]*\/)?[\w-][\w.-]*(?:\/|$)/;

export function findOrigin(files: ProjectFiles): Origin | undefined {
  const sources = [...files].filter(([path]) => isSource(path)).map(([, bytes]) => toText(bytes));
  const named = (pattern: RegExp): string | undefined =>
    sources
      .flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))
      .find((name) => packageName.test(name));
  const runtime = named(clause) ?? named(runtimePackage);
  if (runtime === undefined) return undefined;
  const [owner = ''] = runtime.split('/');
  return runtime.startsWith('@')
    ? { runtime, scope: `${owner}/`, command: owner.slice(1) }
    : { runtime, scope: undefined, command: undefined };
}
