import type { Outlives, Sqlite } from './sqlite.js';

export type GroupCommit = ReturnType<typeof createGroupCommit>;

interface Member {
  run(): void;
  settle(): void;
  reject(error: unknown): void;
}

interface Group {
  members: Member[];
  outlives: Outlives;
  /** How long the last commit took, excluding the work itself. */
  commitMs: number;
}

/** The maximum time to wait for more work before committing. */
const waitMs: Record<Outlives, number> = { machine: 4, process: 1 };
const longestWaitMs = 12;

/** Commits the work of several event-loop turns together, as long as that is faster than separate commits. */
export function createGroupCommit(db: Sqlite) {
  const synced: Group = { members: [], outlives: 'machine', commitMs: 0 };
  const unsynced: Group = { members: [], outlives: 'process', commitMs: 0 };

  const alone = (member: Member, outlives: Outlives): void => {
    try {
      db.transaction(member.run, outlives);
      member.settle();
    } catch (error) {
      member.reject(error);
    }
  };

  const flushGroup = (group: Group): void => {
    const { outlives } = group;
    const groups = group === synced ? [unsynced, synced] : [group];
    const members = groups.flatMap((one) => one.members.splice(0));
    if (members.length === 0) return;
    let worked = 0;
    try {
      db.transaction(() => {
        for (const member of members) member.run();
        worked = performance.now();
      }, outlives);
    } catch {
      // A single failure has rolled back the whole group, so its members are run one by one to find the one that fails.
      for (const member of members) alone(member, outlives);
      return;
    }
    group.commitMs = performance.now() - worked;
    for (const member of members) member.settle();
  };

  /** Commits after a turn without new work, or when the group has waited for the maximum time. */
  const flushSoon = (group: Group): void => {
    const longEnough = Math.min(longestWaitMs, Math.max(waitMs[group.outlives], 3 * group.commitMs));
    const until = performance.now() + longEnough;
    const checkAgain = (seen: number): void => {
      const { length } = group.members;
      if (length > seen && performance.now() < until) setImmediate(checkAgain, length);
      else flushGroup(group);
    };
    setImmediate(checkAgain, 1);
  };

  return {
    /**
     * Resolves once the changes made by `work` have been committed. `work` may run twice, so it must affect only the
     * database.
     */
    commit: <T>(work: () => T, outlives: Outlives = 'machine') =>
      new Promise<T>((resolve, reject) => {
        let result: { value: T } | undefined;
        const group = outlives === 'machine' ? synced : unsynced;
        if (group.members.length === 0) flushSoon(group);
        group.members.push({
          run: () => {
            result = { value: work() };
          },
          settle: () => {
            if (result) resolve(result.value);
          },
          reject,
        });
      }),
    flush: () => flushGroup(synced),
  };
}
