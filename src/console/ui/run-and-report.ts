import { errorMessage } from '../../base/text/error-message.js';
import { useState } from 'preact/hooks';
import { showToast } from './toasts.js';

/** Runs an action. `busy` is true while the action is running. Errors are reported. */
export function useAct(): { busy: boolean; act: (work: () => Promise<unknown>, done?: string) => void } {
  const [running, setRunning] = useState(0);
  return {
    busy: running > 0,
    act(work, done) {
      setRunning((count) => count + 1);
      work()
        .then(
          () => done !== undefined && showToast(done),
          (error: unknown) => showToast(errorMessage(error), 'bad'),
        )
        .finally(() => setRunning((count) => count - 1));
    },
  };
}
