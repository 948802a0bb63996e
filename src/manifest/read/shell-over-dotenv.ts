import { ownProperty } from '../../base/own-property.js';
import { readEnvFile } from './dotenv-file.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Looks up a variable. The shell overrides the files, which are read only if the shell does not have the
 * variable. Later files override earlier ones.
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
