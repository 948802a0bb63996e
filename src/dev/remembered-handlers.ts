import { createHash } from 'node:crypto';
import { readRegularFile } from '../base/node/regular-file.js';
import { hasNoHandler } from '../sandbox/script/defined-ids.js';
import type { DefinedIds } from '../sandbox/script/script-host.js';
import { readPrivateFile, replacePrivateFile, type UserId } from './private-file.js';

interface Known {
  /** The files of the build. */
  files: readonly string[];
  hash: string;
  /** Undefined for scripts that do not use this package. */
  ids: DefinedIds | undefined;
  /** Events that the script has rejected, because it has no handler for them. */
  unhandled: string[];
}

interface HandlerFile {
  /** Undefined if the session must not keep anything. */
  file: string | undefined;
  userId: UserId;
  platformVersion: string;
  /** Returns files that decide how the script is built, and files around it, because a new one may replace one of the build. */
  around(): { read: readonly string[]; named: readonly string[] };
}

export type RememberedHandlers = ReturnType<typeof createRememberedHandlers>;

/**
 * Remembers which handlers a script has, so that an event that it does not handle need not wake it. In the next session, this
 * is used if the script's files are still the same.
 */
export function createRememberedHandlers({ file, userId, platformVersion, around }: HandlerFile) {
  let known: Known | undefined;
  const hashOf = (files: readonly string[]): string => {
    const { read, named } = around();
    const hash = createHash('sha256').update(JSON.stringify([platformVersion, named]));
    for (const path of new Set([...read, ...files])) {
      const content = readOrNothing(path);
      hash.update(JSON.stringify([path, content?.length])).update(content ?? '');
    }
    return hash.digest('hex');
  };
  const recall = (): Known | undefined => {
    try {
      const text = file && readPrivateFile(file, userId)?.text;
      const stored = JSON.parse(text ?? '') as Known;
      return stored.hash === hashOf(stored.files) ? stored : undefined;
    } catch {
      return undefined;
    }
  };
  const keep = (): void => {
    try {
      if (file !== undefined) replacePrivateFile(file, JSON.stringify(known));
    } catch {
      // In the next session, the first event then wakes the script.
    }
  };
  return {
    /** What the last build defines. */
    ids: () => (known ??= recall())?.ids,
    /** Whether the script is certain not to handle an event. */
    lack(type: string): boolean {
      known ??= recall();
      return known?.unhandled.includes(type) || (known?.ids !== undefined && hasNoHandler(known.ids, type));
    },
    /** A build of these files has gone live. */
    adopt(files: readonly string[], ids: DefinedIds | undefined): void {
      const hash = hashOf(files);
      known ??= recall();
      known = { files, hash, ids, unhandled: known?.hash === hash ? known.unhandled : [] };
      keep();
    },
    /** The current build has no handler for this event. */
    learn(type: string): void {
      if (!known || known.unhandled.includes(type)) return;
      known.unhandled.push(type);
      keep();
    },
  };
}

function readOrNothing(file: string): Buffer | undefined {
  try {
    return readRegularFile(file);
  } catch {
    return undefined;
  }
}
