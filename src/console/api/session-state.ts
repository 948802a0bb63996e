import { createCell } from '../ui/state/observable-cell.js';

export type ConnectionState = 'connecting' | 'live' | 'lost' | 'ended';

export const connection = createCell<ConnectionState>('connecting');

/** When the connection to the session was lost, and whether a new session has started since. */
export interface SessionEnd {
  time: number;
  restarted: boolean;
}

export const sessionEnd = createCell<SessionEnd | undefined>(undefined);

/** The secret in the ids of the live stream, with which the next session proves that it is the same project's. Never sent. */
export const streamSecret = createCell('');

/** Which integrations did not respond. */
export const missingNote = createCell<string | undefined>(undefined);

export function endSession(end: SessionEnd): void {
  sessionEnd.set({ ...end, time: sessionEnd.get()?.time ?? end.time });
  connection.set('ended');
}

const ended = 'This session has ended. Open the console of the current session.';

/**
 * Waits while the connection is lost. Fails if the session has ended, because another program may now be listening on this
 * address and must not receive the user's input.
 */
export async function connected(): Promise<void> {
  const settled = (): boolean => connection.get() !== 'lost';
  if (!settled()) {
    await new Promise<void>((resolve) => {
      const stop = connection.subscribe(() => {
        if (!settled()) return;
        stop();
        resolve();
      });
    });
  }
  if (connection.get() === 'ended') throw new Error(ended);
}
