import type { Sqlite } from './sqlite.js';

export interface GroupCommit {
  /** Resolves when what `work` did is on disk. `work` may be run twice: it touches the database alone. */
  commit<T>(work: () => T): Promise<T>;
  /** Commits what has been handed in so far. */
  flush(): void;
}

interface Member {
  run(): void;
  settle(): void;
  reject(error: unknown): void;
}

/** One sync to the disk for all that is asked in one turn of the event loop. */
export function createGroupCommit(db: Sqlite): GroupCommit {
  let group: Member[] = [];

  const alone = (member: Member): void => {
    try {
      db.transaction(member.run);
      member.settle();
    } catch (error) {
      member.reject(error);
    }
  };

  const flush = (): void => {
    const members = group;
    group = [];
    if (members.length === 0) return;
    try {
      db.transaction(() => {
        for (const member of members) member.run();
      });
    } catch {
      // One of them spoilt it for all: find out which.
      for (const member of members) alone(member);
      return;
    }
    for (const member of members) member.settle();
  };

  return {
    commit: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        let result: { value: T } | undefined;
        if (group.length === 0) setImmediate(flush);
        group.push({
          run: () => {
            result = { value: work() };
          },
          settle: () => {
            if (result) resolve(result.value);
          },
          reject,
        });
      }),
    flush,
  };
}
