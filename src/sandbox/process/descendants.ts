import type { readdirSync, readFileSync } from 'node:fs';

interface Files {
  readdirSync: typeof readdirSync;
  readFileSync: typeof readFileSync;
}

/** The environment variable that marks a script's process and all processes that inherit its environment. */
export const MARKER = 'PLATFORM_SCRIPT';

/**
 * Finds all processes started by a process, as far as Linux can show them: its children and their descendants,
 * everything in their sessions, and processes that left those sessions but inherited the marker. The watchdog thread
 * runs this function from its source text, so the function may use only its arguments.
 */
export function findDescendants(
  root: number,
  marker: string,
  { readdirSync, readFileSync }: Files,
): number[] {
  const above = new Map<number, number[]>();
  const found = new Set([root]);
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        // The command name in parentheses can contain any characters. After it come the state, the parent, the group and the
        // session.
        const [, parent = 0, , session = 0] = stat
          .slice(stat.lastIndexOf(')') + 2)
          .split(' ', 4)
          .map(Number);
        above.set(Number(name), [parent, session]);
        if (readFileSync(`/proc/${name}/environ`, 'latin1').includes(marker)) found.add(Number(name));
      } catch {
        // The process has ended since then or belongs to another user.
      }
    }
  } catch {
    // This system is not Linux.
  }
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const [pid, leaders] of above) if (leaders.some((leader) => found.has(leader))) found.add(pid);
  }
  found.delete(root);
  return [...found];
}

/** Whether a process's parent has exited. On Windows, the process keeps the parent's id. Also runs from its source text. */
export function isOrphan(parent: number, { ppid, kill }: Pick<NodeJS.Process, 'ppid' | 'kill'>): boolean {
  if (ppid !== parent) return true;
  try {
    kill(parent, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
