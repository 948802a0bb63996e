import { readStats } from '../base/node/read-stats.js';
import { octal, type UserId } from './private-file.js';

/** The warning about a `.env` that other users may write to. It decides which secrets the script gets. */
export function envFileWarning(file: string, userId: UserId): string | undefined {
  if (userId === undefined) return undefined;
  const mode = (readStats(file)?.mode ?? 0) & 0o777;
  return mode & 0o002
    ? `${file} can be written by every user (mode ${octal(mode)}). Run: chmod 600 ${file}`
    : undefined;
}
