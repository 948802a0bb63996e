import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../ui/messages/confirm-dialog.js';
import { isRecord, readText } from './read-markup.js';

type Run = () => Promise<void> | undefined;

/** Runs an action immediately, or after the user has confirmed it in its `confirm` dialog, but not again while it runs. */
export function useConfirmed(confirm: unknown): {
  press: (run: Run) => void;
  isWorking: boolean;
  question: JSX.Element | undefined;
} {
  const [asked, setAsked] = useState<{ run: () => void }>();
  const [isWorking, setWorking] = useState(false);
  const start = (run: Run): void => {
    const done = run();
    setWorking(done !== undefined);
    void done?.then(() => setWorking(false));
  };
  return {
    press(run) {
      if (isWorking) return;
      if (isRecord(confirm)) setAsked({ run: () => start(run) });
      else start(run);
    },
    isWorking,
    question:
      asked && isRecord(confirm) ? (
        <ConfirmDialog
          title={readText(confirm.title) ?? 'Are you sure?'}
          action={readText(confirm.confirm) ?? 'Confirm'}
          danger={confirm.style === 'danger'}
          onClose={() => setAsked(undefined)}
          onConfirm={asked.run}
        >
          <p>{readText(confirm.text)}</p>
        </ConfirmDialog>
      ) : undefined,
  };
}
