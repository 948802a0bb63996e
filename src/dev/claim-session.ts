import { createHash } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endCommand } from '../base/node/end-command.js';
import { UserError } from '../base/user-error.js';
import { formatLastSession, readLastSession } from './handover.js';
import {
  checkPrivateFolder,
  createPrivateFile,
  makePrivateFolder,
  octal,
  readPrivateFile,
  replacePrivateFile,
  type PrivateFile,
  type UserId,
} from './private-file.js';

/** The file through which another terminal finds the running session. */
export interface SessionRecord {
  version: 1;
  pid: number;
  platformVersion: string;
  /** The origin of the public port. Empty until the session is ready. */
  origin: string;
  /** The origin of the console port. Undefined in records written by version 0.1.0. */
  consoleOrigin?: string;
  /** The origin of the site's port, and the site's key. Undefined in records written by version 0.2.0. */
  siteOrigin?: string;
  siteKey?: string;
  token: string;
  /** All integrations of a session of several, with the key and the folder of each. */
  integrations?: { name: string; token: string; folder: string }[];
  /** The integration that this record is for. If it is missing and there are several, commands must choose one. */
  integration?: string;
}

export const stateFolderOf = (folder: string): string => join(folder, '.platform');

/** Returns the path of this folder's session file. */
export const sessionFileOf = (folder: string): string => join(stateFolderOf(folder), 'session.json');

/**
 * Returns the path of the file for a session that runs alongside the one in `session.json`. Only the `--exec` command of that
 * session knows this path.
 */
const secondFileIn = (folder: string, pid: number): string =>
  join(stateFolderOf(folder), `session-${pid}.json`);

export type SessionClaim = Awaited<ReturnType<typeof claimSession>>;

interface Machine {
  isRunning(pid: number): boolean;
  userId: UserId;
}

interface Claimant extends Machine, Pick<SessionRecord, 'pid' | 'platformVersion' | 'token'> {
  /**
   * Whether the platform in this record is alive. Checking whether its process is running is not enough, because
   * process ids are reused.
   */
  isAnswering(session: SessionRecord): Promise<boolean>;
  /** Whether the session may run alongside another one, because they share no state. */
  mayBeSecond: boolean;
}

/**
 * Allows only one session with stored state per folder. If several sessions start at the same time, only one of them can claim
 * the folder's session file.
 */
export async function claimSession(
  folder: string,
  { isRunning, isAnswering, mayBeSecond, userId, ...claimant }: Claimant,
) {
  const record: SessionRecord = { version: 1, ...claimant, origin: '' };
  makeStateFolder(folder, userId);
  /** The session that other terminals find instead of this one, because it started earlier. */
  const first = await claimFile(sessionFileOf(folder), JSON.stringify(record), {
    userId,
    isLive: async ({ pid, origin, ...rest }) =>
      pid !== record.pid && isRunning(pid) && (!origin || (await isAnswering({ pid, origin, ...rest }))),
  });
  if (first && !mayBeSecond) throw alreadyRuns(folder, first);
  const file = first ? secondFileIn(folder, record.pid) : sessionFileOf(folder);
  if (first) replacePrivateFile(file, JSON.stringify(record));
  const own = (): boolean => parseRecord(readPrivateFile(file, userId)?.text)?.token === record.token;
  const portFile = join(stateFolderOf(folder), 'port');
  const lastFile = join(stateFolderOf(folder), 'last-console');
  return {
    file,
    first,
    /** The public port of this folder's last session. URLs that the author registered elsewhere contain it. */
    lastPort: first ? undefined : Number(readPrivateFile(portFile, userId)?.text),
    last: first ? undefined : readLastSession(readPrivateFile(lastFile, userId)?.text),
    /** Records the session's addresses for other terminals, and what the next session needs. */
    announce(
      addresses: Pick<SessionRecord, 'origin' | 'siteOrigin' | 'siteKey' | 'integrations' | 'integration'> & {
        consoleOrigin: string;
      },
      streamSecret?: string,
    ) {
      replacePrivateFile(file, JSON.stringify({ ...record, ...addresses }));
      if (first) return;
      replacePrivateFile(portFile, new URL(addresses.origin).port);
      const { consoleOrigin } = addresses;
      if (streamSecret !== undefined)
        replacePrivateFile(lastFile, formatLastSession({ consoleOrigin, streamSecret }));
    },
    release() {
      try {
        if (own()) rmSync(file, { force: true });
      } catch {
        // The file is no longer a session file, so there is nothing to release.
      }
    },
  };
}

interface ClaimRules {
  userId: UserId;
  isLive(session: SessionRecord): Promise<boolean>;
}

/**
 * Resolves to undefined once the file contains `text`, or to the live session that owns the file. To replace a dead
 * session's record, a process first claims a second file, which only one process at a time can hold. The second
 * file's name is derived from the old content. The process then checks that the old content has not changed in the
 * meantime. If the process dies, its claim to the second file can be replaced in the same way.
 */
async function claimFile(file: string, text: string, rules: ClaimRules): Promise<SessionRecord | undefined> {
  for (;;) {
    if (createPrivateFile(file, text)) return undefined;
    const found = readPrivateFile(file, rules.userId);
    if (!found) continue;
    const other = isWrittenByUserOnly(found) ? parseRecord(found.text) : undefined;
    if (other && (await rules.isLive(other))) return other;
    const turn = `${file}.${createHash('sha256').update(found.text).digest('hex').slice(0, 16)}`;
    const ahead = await claimFile(turn, text, rules);
    if (ahead) return ahead;
    try {
      if (readPrivateFile(file, rules.userId)?.text !== found.text) continue;
      replacePrivateFile(file, text);
      return undefined;
    } finally {
      rmSync(turn, { force: true });
    }
  }
}

const isWrittenByUserOnly = ({ mode }: PrivateFile): boolean => (mode & 0o022) === 0;

/**
 * Returns the session in `file`. If no file is given, returns the session of this folder or of its nearest parent folder that
 * has one.
 */
export function findSession(
  folder: string,
  { isRunning, userId }: Machine,
  file?: string,
): SessionRecord | undefined {
  if (file !== undefined) {
    const record = readSession(file, userId);
    return record?.origin && isRunning(record.pid) ? record : undefined;
  }
  for (let at = folder; ; at = dirname(at)) {
    const record = readSession(sessionFileOf(at), userId);
    if (record?.origin && isRunning(record.pid)) return record;
    if (at === dirname(at)) return undefined;
  }
}

/** Validates the file strictly, because a token and a configuration are about to be sent to the URL in it. */
function readSession(file: string, userId: UserId): SessionRecord | undefined {
  if (!lstatSync(file, { throwIfNoEntry: false })) return undefined;
  checkPrivateFolder(dirname(file), userId);
  const found = readPrivateFile(file, userId);
  if (!found) return undefined;
  const record = parseRecord(found.text);
  if (found.mode !== 0o600)
    throw badSession(file, `has mode ${octal(found.mode)} instead of 0600, so it is not used`);
  if (!record) throw badSession(file, 'is not the session file of a platform on this machine');
  return record;
}

const badSession = (file: string, what: string): UserError =>
  new UserError('bad-session', `${file} ${what}.`, 'Stop platform dev if it is running, and start it again.');

function makeStateFolder(folder: string, userId: UserId): void {
  const state = stateFolderOf(folder);
  makePrivateFolder(state, userId);
  const ignore = join(state, '.gitignore');
  // Also replaces an empty file, which ignores nothing. A full disk may leave one behind.
  const stats = lstatSync(ignore, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size === 0) replacePrivateFile(ignore, '*\n');
}

const loopback = /^http:\/\/127(?:\.\d{1,3}){3}:\d{1,5}$/;

/** The platform listens only on loopback addresses, so it cannot have written a record with any other address. */
function parseRecord(text: string | undefined): SessionRecord | undefined {
  try {
    const record = JSON.parse(text ?? '') as Partial<SessionRecord> | null;
    const valid =
      typeof record?.token === 'string' &&
      Number.isSafeInteger(record.pid) &&
      Number(record.pid) > 0 &&
      (record.integrations ?? []).every(({ token, folder }) => typeof (token && folder) === 'string') &&
      [record.origin, record.consoleOrigin ?? '', record.siteOrigin ?? ''].every(
        (origin) => origin === '' || (loopback.test(String(origin)) && URL.canParse(String(origin))),
      );
    return valid ? (record as SessionRecord) : undefined;
  } catch {
    return undefined;
  }
}

function alreadyRuns(folder: string, other: SessionRecord): UserError {
  const where = other.origin ? ` at ${other.origin}` : '';
  return new UserError(
    'already-running',
    `platform dev is already running in ${folder}${where} (process ${other.pid}).`,
    `Use that session, or stop it first: ${endCommand(other.pid)}. A session with --state memory can run alongside it.`,
  );
}

/** The key is in the URL fragment, which browsers do not send. `view` is a path under `/console/`. */
export const consoleLink = (
  { consoleOrigin, token }: Required<Pick<SessionRecord, 'consoleOrigin' | 'token'>>,
  view = '',
): string => linkTo(`${consoleOrigin}/${view && `console/${view}`}`, token);

/**
 * Opens the site with this session's site key. The key lets readers click buttons and rate pages, and lets their
 * visits be counted.
 */
export const siteLink = ({
  siteOrigin,
  siteKey,
}: Required<Pick<SessionRecord, 'siteOrigin' | 'siteKey'>>): string => linkTo(`${siteOrigin}/`, siteKey);

/**
 * On the address that all programs share, the link contains a value of this start, so that the browser does not open a page
 * that it cached from another program.
 */
const linkTo = (page: string, key: string): string =>
  `${page}${new URL(page).hostname === '127.0.0.1' ? `?${createHash('sha256').update(key).digest('hex').slice(0, 12)}` : ''}#key=${key}`;
