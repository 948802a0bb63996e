import { existsSync } from 'node:fs';
import { homedir } from 'node:os';

const safeSettings = [
  'core.fsmonitor=false',
  'safe.bareRepository=explicit',
  // Git may fetch a missing object, with a command that the repository's settings choose.
  ...['http', 'https', 'git', 'ssh', 'file', 'ext', 'fd'].map((name) => `protocol.${name}.allow=never`),
].flatMap((setting) => ['-c', setting]);

/**
 * Returns arguments with which Git runs no program that the repository chooses, and uses no files in the folder that look like a
 * bare repository.
 */
export const gitArguments = (folder: string, argv: readonly string[]): string[] => [
  '-C',
  folder,
  ...safeSettings,
  ...argv,
];

/** Where to start programs that are found by their name, because Windows searches the current folder first. */
export function safeFolder(): string {
  try {
    // A user of a container may have no home.
    if (existsSync(homedir())) return homedir();
  } catch {
    // The user may be unknown, too.
  }
  return '/';
}
