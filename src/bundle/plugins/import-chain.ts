import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import type { Position } from '../../diagnostics/model/diagnostic.js';

/** A placeholder in an input's code. After the build, it is replaced with the input's import chain. */
export const chainMark = (input: string): string => `${markStart}${input}@`;
const markStart = '@imports-of:';
const marks = /(["'`])@imports-of:((?:(?!@imports-of:).)*?)@\1/g;

/** An import of a file that was bundled. */
export interface Import {
  importer: string;
  /** The specifier, as it is written in the importing file. */
  specifier: string;
}

/**
 * Replaces each placeholder with stack frames for the imports that connect the entry file to the imported file, innermost
 * first.
 */
export function insertImportChains(code: string, { inputs, outputs }: Metafile, folder: string): string {
  if (!code.includes(markStart)) return code;
  const imports = firstImports(
    inputs,
    Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []),
  );
  return code.replaceAll(marks, (_, __, input: string) => JSON.stringify(framesTo(input, imports, folder)));
}

/** For each input, finds the last import in one of the shortest import chains from the entry file. */
function firstImports(inputs: Metafile['inputs'], entries: readonly string[]): Map<string, Import> {
  const found = new Map<string, Import>();
  const reached = [...entries];
  for (const importer of reached) {
    for (const { path, original } of inputs[importer]?.imports ?? []) {
      if (found.has(path) || entries.includes(path)) continue;
      found.set(path, { importer, specifier: original ?? path });
      reached.push(path);
    }
  }
  return found;
}

function framesTo(input: string, imports: ReadonlyMap<string, Import>, folder: string): string {
  let frames = '';
  for (let at = imports.get(input); at !== undefined; at = imports.get(at.importer)) {
    frames += `\n    at ${at.importer}:${positionOf(at, folder)}`;
  }
  return frames;
}

function positionOf({ importer, specifier }: Import, folder: string): string {
  const { line, column } = findImport({ importer: resolve(folder, importer), specifier });
  return `${line}:${column}`;
}

/** Returns the position where one file imports another. If the import cannot be found, returns the start of the file. */
export function findImport({ importer, specifier }: Import): Position {
  const escaped = specifier.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const call = new RegExp(
    String.raw`^(?![^\S\r\n\u2028\u2029]*(?://|\*)).*?(?:\bfrom|\bimport|\()\s*(?=(["'\`])${escaped}\1)`,
    'm',
  );
  const text = textOf(importer);
  const match = call.exec(text);
  if (!match) return { line: 1, column: 1 };
  const before = text.slice(0, match.index + match[0].length).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export const packageOf = (path: string): string =>
  /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? '.';
