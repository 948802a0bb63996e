import { toText, type ProjectFiles } from '../files/files-in-memory.js';
import { isSource } from './recognise-origin.js';

export const workers = '@cloudflare/workers-types';

/** What only the types of workers know: bodies that are given a type, and settings of a request's cache. */
const used = /\.json<|\bcf\s*:|\b(?:ExecutionContext|KVNamespace|HTMLRewriter)\b/;

/** Whether the sources ask for the types of workers; bases of larger repositories bring them unsaid. */
export const needsWorkerTypes = (files: ProjectFiles): boolean =>
  [...files].some(([path, bytes]) =>
    path === 'package.json'
      ? toText(bytes).includes(`"${workers}"`)
      : isSource(path) && /\.tsx?$/.test(path) && used.test(toText(bytes)),
  );

const imported = /\bfrom\s*['"][^'"\n]*(\.raw\.\w+)['"]/g;

/** Types of the files that are imported as text (`*.raw.js`), where the project declares none. */
export function declareTextModules(files: ProjectFiles): string | undefined {
  const texts = (wanted: (path: string) => boolean): string[] =>
    [...files].filter(([path]) => wanted(path)).map(([, bytes]) => toText(bytes));
  const declared = texts((path) => path.endsWith('.d.ts')).join('\n');
  const endings = texts(isSource)
    .flatMap((text) => [...text.matchAll(imported)].map(([, ending = '']) => ending))
    .filter((ending) => !declared.includes(`*${ending}`));
  if (endings.length === 0) return undefined;
  return [...new Set(endings)].sort().map(declaration).join('\n');
}

const declaration = (ending: string): string =>
  `declare module '*${ending}' {\n  const text: string;\n  export default text;\n}\n`;
