import { posix } from 'node:path';
import { toText, type ProjectFiles } from '../../files/files-in-memory.js';
import { isSource } from '../model/recognise-origin.js';
import { createLineIndex } from '../../../manifest/yaml/line-starts.js';
import type { OpenDecision } from '../model/open-decision.js';

export interface GeneratedFiles {
  decisions: OpenDecision[];
  scripts: string[];
}

const relativeImport = /(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*)(['"])(\.\.?\/[^'"\n]+)\1/g;
const endings = [
  '',
  '.ts',
  '.tsx',
  '.d.ts',
  '.js',
  '.jsx',
  '.mjs',
  '.mts',
  '.json',
  '/index.ts',
  '/index.tsx',
  '/index.js',
];

export function findGeneratedFiles(
  files: ProjectFiles,
  packageScripts: Readonly<Record<string, string>>,
): GeneratedFiles {
  const decisions: OpenDecision[] = [];
  const scripts = new Set<string>();
  const makers = new Map<string, string | undefined>();
  const makerOf = (wanted: string): string | undefined => {
    if (!makers.has(wanted) && makers.size < mostSearched)
      makers.set(wanted, scriptThatMakes(wanted, packageScripts, files));
    return makers.get(wanted);
  };
  for (const [path, bytes] of files) {
    if (!isSource(path)) continue;
    const text = toText(bytes);
    const lines = createLineIndex(text);
    for (const { index, 2: module = '' } of text.matchAll(relativeImport)) {
      const wanted = posix.normalize(posix.join(posix.dirname(path), module.split('?')[0] ?? ''));
      if (isThere(wanted, files)) continue;
      const script = makerOf(wanted);
      if (script !== undefined) scripts.add(script);
      const remedy = wanted.startsWith('..')
        ? 'it is outside the folder, so copy it here.'
        : script === undefined
          ? 'no script in package.json seems to generate it.'
          : `run the script "${script}" first, which generates it.`;
      decisions.push({
        file: path,
        line: lines.position(index).line,
        message: `It imports ${module}, which does not exist yet: ${remedy}`,
      });
    }
  }
  return { decisions, scripts: [...scripts] };
}

/** A source may import a file by the name of its compiled form, such as `./api.js` for `./api.ts`. */
const isThere = (wanted: string, files: ProjectFiles): boolean =>
  [wanted, wanted.replace(/\.([cm]?)jsx?$/, '.$1ts'), wanted.replace(/\.jsx?$/, '.tsx')].some(
    // The path of a folder may end with a slash.
    (name) => endings.some((ending) => files.has(posix.normalize(name + ending))),
  );

/** Limited, because each search reads every script. Real projects generate only a few files. */
const mostSearched = 200;

/**
 * Returns the script that contains the file name, either directly or in a file that the script runs. If no script does, returns
 * a script called "build".
 */
function scriptThatMakes(
  wanted: string,
  scripts: Readonly<Record<string, string>>,
  files: ProjectFiles,
): string | undefined {
  const name = posix.basename(wanted).replace(/\.[cm]?[jt]sx?$/, '');
  const word = new RegExp(String.raw`(?<![\w-])${name.replaceAll(/[^\w]/g, String.raw`\$&`)}(?![\w-])`);
  const makes = ([, command]: [string, string]): boolean =>
    word.test(command) ||
    command
      .split(/\s+/)
      .map((part) => files.get(posix.normalize(part)))
      .some((bytes) => bytes !== undefined && word.test(toText(bytes)));
  const found =
    Object.entries(scripts).find(makes) ??
    Object.entries(scripts).find(([key]) => /^(pre)?(build|generate|codegen)\b/.test(key));
  return found?.[0];
}
