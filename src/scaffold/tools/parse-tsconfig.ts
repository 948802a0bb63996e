import { isRecord } from '../../base/value-at-path.js';
import { parseJsonWithComments } from './json-with-comments.js';

export interface Tsconfig {
  extends: string[];
  compilerOptions: Record<string, unknown>;
  include: string[] | undefined;
}

/**
 * Parses a tsconfig file. Returns undefined if it does not contain an object. Settings that are read later have the correct
 * types: values of any other type are omitted.
 */
export function parseTsconfig(text: string): Tsconfig | undefined {
  const content = parseJsonWithComments(text);
  if (!content) return undefined;
  const { extends: above, compilerOptions, include } = content;
  return {
    extends: texts(Array.isArray(above) ? above : [above]),
    compilerOptions: Object.fromEntries(
      Object.entries(isRecord(compilerOptions) ? compilerOptions : {}).filter(
        ([key, value]) => !Object.hasOwn(types, key) || types[key]?.(value),
      ),
    ),
    include: Array.isArray(include) ? texts(include) : undefined,
  };
}

const texts = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');

const isText = (value: unknown): boolean => typeof value === 'string';
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  target: isText,
  module: isText,
  moduleResolution: isText,
  jsx: isText,
  jsxImportSource: isText,
  types: isList,
  lib: isList,
  paths: isRecord,
};
