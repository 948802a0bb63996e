import { ownProperty } from '../../base/own-property.js';
import { readEnvFile } from './dotenv-file.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Finds a variable: the shell wins over `.env`, which is read only when the shell has no such variable. */
export function createVariables(shell: Variables, envFile: string): (name: string) => string | undefined {
  let fromFile: Variables | undefined;
  return (name) => ownProperty(shell, name) ?? ownProperty((fromFile ??= readEnvFile(envFile)), name);
}
