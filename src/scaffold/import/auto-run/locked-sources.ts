import { toText } from '../../files/files-in-memory.js';
import { quoted, type AutoRun } from './auto-run.js';

const lockFiles = /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock)$/;
/** Matches lock file lines with a package's source. */
const source = /\b(?:resolved|resolution|version|tarball)\b"?[\s:]|^\s*"[^"]+": \[/;
const registries = new Set(['registry.npmjs.org', 'registry.yarnpkg.com', 'registry.npmjs.com']);

/** Matches a URL, or a path that leads out of the folder. */
const places = [
  /\b[a-z][a-z+]{0,10}:\/\/(?:[^/@\s"']*@)?([^/:\s"'#]+)[^\s"',}]*/g,
  /(?:\bfile:|"resolved"\s*:\s*"|\b(?:directory|tarball):\s*)(\.\.\/|\/(?!\/)|~\/|[^\s"'/:,]*[%\\])[^\s"',}]*/g,
];

/** Returns one decision for each source, other than the public registry, in a lock file. */
export function lockedSources(name: string, bytes: Uint8Array): AutoRun[] {
  if (!lockFiles.test(name)) return [];
  const found = new Map<string, AutoRun>();
  for (const [index, content] of toText(bytes).split('\n').entries()) {
    if (!source.test(content)) continue;
    for (const [address, host = ''] of places.flatMap((place) => [...content.matchAll(place)])) {
      if (registries.has(host) && address.startsWith('https:')) continue;
      if (found.has(host)) continue;
      const message = `The lock file installs packages from ${host}, first ${quoted(address.replace(/\/\/[^/@]*@/, '//…@'))}. Keep it only if you trust it.`;
      found.set(host, { line: index + 1, message, unsafe: 'scripts' });
    }
  }
  return [...found.values()];
}
