import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { isRecord, readText } from './read-markup.js';

/** Runs a press at once, or after the question that `confirm` asks. */
export function useConfirmed(confirm: unknown): {
  press: (run: () => void) => void;
  question: JSX.Element | undefined;
} {
  const [asked, setAsked] = useState<{ run: () => void }>();
  if (!isRecord(confirm)) return { press: (run) => run(), question: undefined };
  const close = (): void => setAsked(undefined);
  return {
    press: (run) => setAsked({ run }),
    question: asked && (
      <Dialog
        size="small"
        title={readText(confirm.title) ?? 'Are you sure?'}
        onClose={close}
        footer={
          <>
            <Button onPress={close}>Cancel</Button>
            <Button
              kind={confirm.style === 'danger' ? 'danger' : 'primary'}
              autofocus
              onPress={() => {
                close();
                asked.run();
              }}
            >
              {readText(confirm.confirm) ?? 'Confirm'}
            </Button>
          </>
        }
      >
        <p>{readText(confirm.text)}</p>
      </Dialog>
    ),
  };
}
