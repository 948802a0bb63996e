import { resolve } from 'node:path';
import { replaceFile } from '../../../base/node/replace-file.js';
import { isUserError } from '../../../base/user-error.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { execCommand, type PlatformAddresses } from './exec-after-start.js';
import { followKeys, type KeyedSession } from './hotkeys.js';
import type { DevOptions } from './session-options.js';

interface EndingSession extends KeyedSession {
  file: string;
  siteLink: string;
  started(): Promise<void>;
  close(): Promise<void>;
}

/** What other programs learn once the session is ready. */
export interface Announced {
  ready: object;
  urls: Omit<PlatformAddresses, 'publicEndpoint'> & Partial<PlatformAddresses>;
}

/** Announces that a session is ready, runs the command or waits until the user stops it, and closes the session. */
export async function runToEnd(
  context: CommandContext,
  session: EndingSession,
  { readyFile, open, exec }: Pick<DevOptions, 'readyFile' | 'open' | 'exec'>,
  announce: (stopping: AbortSignal) => Announced,
  firstSecret?: () => Promise<string | undefined>,
): Promise<Outcome> {
  const { io, cwd, json } = context;
  const stopping = new AbortController();
  let opening: Promise<void> | undefined;
  try {
    const { ready, urls } = announce(stopping.signal);
    // Written atomically, so a program waiting for the file never reads half of it.
    if (readyFile) replaceFile(resolve(cwd, readyFile), `${JSON.stringify({ version: 1, ...ready })}\n`);
    if (open) opening = openAtStart(context, session.folder, stopping.signal);
    if (!exec) {
      await untilStopped(context, session);
      return fine;
    }
    await session.started();
    const { file, siteLink } = session;
    const webhookSecret = await firstSecret?.();
    return await execCommand(exec, { io, cwd, urls, session: file, siteLink, webhookSecret, json });
  } finally {
    stopping.abort();
    await opening;
    await session.close();
  }
}

/** Does not wait for the browser, which may be slow to start or not start at all. */
async function openAtStart(context: CommandContext, cwd: string, stopping: AbortSignal): Promise<void> {
  const { openSession } = await import('../open/open-session.js');
  try {
    await openSession({ io: context.io, cwd }, { signal: stopping });
  } catch (error) {
    if (!stopping.aborted)
      context.note(isUserError(error) ? `${error.message} ${error.hint ?? ''}` : String(error));
  }
}

async function untilStopped(context: CommandContext, session: KeyedSession): Promise<void> {
  const signal = context.io.takeInterrupts();
  let release = (): void => {};
  await new Promise<void>((stop) => {
    signal.addEventListener('abort', () => stop(), { once: true });
    if (signal.aborted) stop();
    else if (context.interactive && !context.json) release = followKeys(context, session, stop);
  });
  release();
}
