import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../ui/messages/confirm-dialog.js';
import { isRecord, readText } from './read-markup.js';

/** Runs an action immediately, or after the user has confirmed it in its `confirm` dialog. */
export function useConfirmed(confirm: unknown): {
  press: (run: () => void) => void;
  question: JSX.Element | undefined;
} {
  const [asked, setAsked] = useState<{ run: () => void }>();
  if (!isRecord(confirm)) return { press: (run) => run(), question: undefined };
  return {
    press: (run) => setAsked({ run }),
    question: asked && (
      <ConfirmDialog
        title={readText(confirm.title) ?? 'Are you sure?'}
        action={readText(confirm.confirm) ?? 'Confirm'}
        danger={confirm.style === 'danger'}
        onClose={() => setAsked(undefined)}
        onConfirm={asked.run}
      >
        <p>{readText(confirm.text)}</p>
      </ConfirmDialog>
    ),
  };
}
