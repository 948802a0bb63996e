import { isBuiltin } from 'node:module';
import { toText, type ProjectFiles } from '../../files/files-in-memory.js';
import { isSource, type Origin } from '../model/recognise-origin.js';
import { importedModules, rewriteSource, sdk } from '../source/rewrite-source.js';
import { parseTsconfig } from '../../tools/parse-tsconfig.js';
import { packageIn } from './package-scripts.js';
import type { WantedPackage } from './rewrite-package.js';

const ofTests = /(^|\/)(tests?|__tests__|scripts|e2e)\/|\.(test|spec)\.\w+$|\.config\.\w+$/;

export function packagesImported(files: ProjectFiles, origin: Origin): WantedPackage[] {
  const aliases = aliasesIn(files);
  const found = new Map<string, WantedPackage>();
  for (const [path, bytes] of files) {
    if (!isSource(path)) continue;
    const kind = ofTests.test(path) ? 'devDependencies' : 'dependencies';
    for (const module of importedModules(rewriteSource(toText(bytes), origin).text)) {
      const name = packageIn(module);
      if (!isPackage(module, aliases, files) || name === sdk) continue;
      if (found.get(name)?.kind !== 'dependencies') found.set(name, { name, kind, by: path });
    }
  }
  if ([...files.keys()].some((path) => /\.[cm]?tsx?$/.test(path)))
    found.set('typescript', { name: 'typescript', kind: 'devDependencies', by: 'tsconfig.json' });
  return [...found.values()];
}

const isPackage = (module: string, aliases: readonly string[], files: ProjectFiles): boolean =>
  /^[@\w]/.test(module) &&
  !/^\w+:/.test(module) &&
  !isBuiltin(module) &&
  !aliases.some((alias) =>
    alias.endsWith('*') ? module.startsWith(alias.slice(0, -1)) : module === alias,
  ) &&
  ![...files.keys()].some((path) => path.replace(/\.\w+$/, '') === module);

/** Returns the aliases that a tsconfig file defines for folders in the project, such as `~/*`. */
const aliasesIn = (files: ProjectFiles): string[] =>
  [...files]
    .filter(([path]) => /(^|\/)tsconfig[\w.-]*\.json$/.test(path))
    .flatMap(([, bytes]) => Object.keys(parseTsconfig(toText(bytes))?.compilerOptions['paths'] ?? {}));
