import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const pattern = /^\..+\.unfinished-[\da-f]{8}-[\da-f-]{27}$/;

/** Longer than any run can take, so anything older was left behind by a run that was killed. */
const staleAfter = 60_000;

export const isUnfinished = (name: string): boolean => pattern.test(name);

export const unfinishedName = (folder: string): string => `.${basename(folder)}.unfinished-${randomUUID()}`;

/** Matches what a run may have left behind if it was interrupted while creating a folder here. */
export function removeLeftovers(parent: string, now: number): void {
  for (const name of readdirSync(parent).filter(isUnfinished)) {
    const path = join(parent, name);
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - made > staleAfter) rmSync(path, { recursive: true, force: true });
  }
}
