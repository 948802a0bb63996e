import { createCell } from '../ui/state/observable-cell.js';

export type ConnectionState = 'connecting' | 'live' | 'lost' | 'ended';

export const connection = createCell<ConnectionState>('connecting');

const ended = 'This session has ended. Open the console of the current session.';

/**
 * Waits while the connection is lost, and fails once the session has ended. After that, another program may be listening on
 * this address, and that program must not receive the user's input.
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
