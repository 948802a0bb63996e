import { readRegularFile } from '../../base/node/regular-file.js';
import { ownProperty } from '../../base/own-property.js';
import { isUserError } from '../../base/user-error.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Looks up a variable. The shell takes precedence over the files, which are read only if the variable is not set in the shell.
 * Later files override earlier ones.
 */
export function createVariables(
  shell: Variables,
  files: readonly string[],
): (name: string) => string | undefined {
  let fromFiles: Variables | undefined;
  return (name) =>
    ownProperty(shell, name) ??
    ownProperty((fromFiles ??= Object.assign({}, ...files.map(readEnvFile)) as Variables), name);
}

/** Reads the variables in a `.env` file. Returns no variables if the file cannot be read. Throws if the file is a FIFO. */
export function readEnvFile(file: string): Record<string, string> {
  try {
    return parseEnv(readRegularFile(file).toString('utf8'));
  } catch (error) {
    if (isUserError(error)) throw error;
    return {};
  }
}

const line =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gm;

/** Values are used unchanged, so `$NAME` in a value is not expanded. */
export function parseEnv(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [, name = '', double, single, back, bare] of text.replace(/^\uFEFF/, '').matchAll(line)) {
    variables[name] =
      double?.replaceAll(/\\([nrt"\\])/g, unescape) ?? single ?? back ?? withoutComment(bare ?? '');
  }
  return variables;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const unescape = (_: string, character: string): string => escapes[character] ?? character;

const withoutComment = (value: string): string => value.replace(/(?:^|(?<![ \t])[ \t]+)#.*/s, '').trim();
