import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../diagnostics/user-error.js';

/** How another terminal finds the running session. */
export interface SessionRecord {
  version: 1;
  pid: number;
  platformVersion: string;
  /** The public port. Empty until the session is ready. */
  origin: string;
  /** The console port, which 0.1.0 did not have. */
  consoleOrigin?: string;
  token: string;
}

export const stateFolderOf = (folder: string): string => join(folder, '.platform');

const fileIn = (folder: string): string => join(stateFolderOf(folder), 'session.json');

export interface SessionClaim {
  /** Tells other terminals where the session answers. */
  announce(addresses: { origin: string; consoleOrigin: string }): void;
  release(): void;
}

interface Claimant extends Omit<SessionRecord, 'version' | 'origin' | 'consoleOrigin'> {
  isRunning(pid: number): boolean;
  /** Whether the platform of this record answers: the number of a dead process is given to others. */
  isAnswering(session: SessionRecord): Promise<boolean>;
}

/** One session a folder: the file is made with `wx`, so that of two that start at once one wins. */
export async function claimSession(
  folder: string,
  { isRunning, isAnswering, ...claimant }: Claimant,
): Promise<SessionClaim> {
  const file = fileIn(folder);
  const record: SessionRecord = { version: 1, ...claimant, origin: '' };
  makeStateFolder(folder);
  if (!writeNew(file, record)) {
    const other = readRecord(file);
    const mayRun = other !== undefined && other.pid !== record.pid && isRunning(other.pid);
    if (mayRun && (!other.origin || (await isAnswering(other)))) throw alreadyRuns(folder, other);
    rmSync(file, { force: true });
    if (!writeNew(file, record)) throw alreadyRuns(folder, readRecord(file));
  }
  return {
    announce(addresses) {
      writeFileSync(`${file}.new`, JSON.stringify({ ...record, ...addresses }), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    release() {
      if (readRecord(file)?.token === record.token) rmSync(file, { force: true });
    },
  };
}

/** The session of this folder or of the nearest one above that has one. */
export function findSession(folder: string, isRunning: (pid: number) => boolean): SessionRecord | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const record = readRecord(fileIn(at));
    if (record?.origin && isRunning(record.pid)) return record;
    if (at === dirname(at)) return undefined;
  }
}

function makeStateFolder(folder: string): void {
  const state = stateFolderOf(folder);
  if (statSync(state, { throwIfNoEntry: false })?.isFile())
    throw new UserError(
      'no-state-folder',
      `${state} is a file, where the state of the platform has its folder.`,
      'Move it away.',
    );
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const ignore = join(state, '.gitignore');
  // One that a full disk has left empty ignores nothing.
  if (!statSync(ignore, { throwIfNoEntry: false })?.size) naming(ignore, () => writeFileSync(ignore, '*\n'));
}

function writeNew(file: string, record: SessionRecord): boolean {
  try {
    naming(file, () => writeFileSync(file, JSON.stringify(record), { flag: 'wx', mode: 0o600 }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A full disk does not say which file it was. */
function naming(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}

function readRecord(file: string): SessionRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SessionRecord;
  } catch {
    return undefined;
  }
}

function alreadyRuns(folder: string, other: SessionRecord | undefined): UserError {
  const where = other?.origin ? ` at ${other.origin}` : '';
  return new UserError(
    'already-running',
    `platform dev already runs in ${folder}${where}${other ? ` (process ${other.pid})` : ''}.`,
    other ? `Use that one, or stop it first: kill ${other.pid}` : 'Use that one, or stop it first.',
  );
}
