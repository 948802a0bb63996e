import { dirname, resolve } from 'node:path';

const fileName = /[\w@.-][\w@./-]*\.(?:[cm]?[jt]sx?|png|jpe?g|gif|svg|webp)\b/g;

/** The files that a manifest speaks of, told from its text: it may be beyond parsing just now. */
export const namedFiles = (file: string, text = ''): string[] =>
  Array.from(text.match(fileName) ?? [], (name) => resolve(dirname(file), name));
