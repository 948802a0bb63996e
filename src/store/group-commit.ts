import type { Outlives, Sqlite } from './sqlite.js';

export interface GroupCommit {
  /** Resolves when what `work` did is committed. `work` may be run twice: it touches the database alone. */
  commit<T>(work: () => T): Promise<T>;
  /** Commits what has been handed in so far. */
  flush(): void;
}

interface Member {
  run(): void;
  settle(): void;
  reject(error: unknown): void;
}

/** While many come at once, a slow disk is left alone for so many times as long as it took, within a limit. */
const many = 8;
const restShare = 3;
const longestRestMs = 2;

/** One commit for all that is asked in one turn of the event loop, or in a few if commits are slow. */
export function createGroupCommit(db: Sqlite, outlives: Outlives): GroupCommit {
  let group: Member[] = [];
  let restUntil = 0;

  const alone = (member: Member): void => {
    try {
      db.transaction(member.run, outlives);
      member.settle();
    } catch (error) {
      member.reject(error);
    }
  };

  const flush = (): void => {
    const members = group;
    group = [];
    if (members.length === 0) return;
    const began = performance.now();
    try {
      db.transaction(() => {
        for (const member of members) member.run();
      }, outlives);
    } catch {
      // One of them spoilt it for all: find out which.
      for (const member of members) alone(member);
      return;
    }
    const ended = performance.now();
    restUntil = members.length < many ? 0 : ended + Math.min(longestRestMs, restShare * (ended - began));
    for (const member of members) member.settle();
  };

  const flushSoon = (): void => {
    const rest = restUntil - performance.now();
    if (rest > 0.5) setTimeout(flush, rest);
    else setImmediate(flush);
  };

  return {
    commit: <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        let result: { value: T } | undefined;
        if (group.length === 0) flushSoon();
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
