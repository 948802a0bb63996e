import { toText, type ProjectFiles } from '../../files/files-in-memory.js';
import { isSource } from '../model/recognise-origin.js';

const imported = /\bfrom\s*['"][^'"\n]*(\.raw\.\w+)['"]/g;

/** Declares the types of files imported as text (`*.raw.js`), unless the project already does. */
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
