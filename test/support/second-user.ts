import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Why tests that need another user on the machine are skipped, or undefined if they run. */
export const noSecondUser: string | undefined =
  process.platform === 'linux' && process.getuid?.() === 0
    ? undefined
    : 'it needs root, to become another user';

/** Runs a program (a module for Node) as the user nobody, and resolves to what it prints. */
export async function asNobody(program: string): Promise<string> {
  const command = `cd / && exec "${process.execPath}" --input-type=module -`;
  const child = spawn('su', ['nobody', '-s', '/bin/sh', '-c', command]);
  child.stdin.end(program);
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`The program of nobody ended with ${child.exitCode}: ${errors}`);
  return printed;
}
