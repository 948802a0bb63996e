import { ownProperty } from '../../base/own-property.js';
import { readEnvFile } from './dotenv-file.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Finds a variable: the shell wins over the files, which are read only when the shell has no such variable, and a
 * later file wins over an earlier one.
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
