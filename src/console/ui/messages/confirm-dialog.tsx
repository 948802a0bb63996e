import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../button.js';
import { Dialog } from '../dialog.js';

interface ConfirmDialogProps {
  title: string;
  /** The label of the confirm button. */
  action: string;
  /** Whether the action cannot be undone. If so, Enter cancels it. */
  danger?: boolean;
  children?: ComponentChildren;
  onClose: () => void;
  onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps): JSX.Element {
  const { title, action, danger = false, children, onClose, onConfirm } = props;
  return (
    <Dialog
      size="small"
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button autofocus={danger} onPress={onClose}>
            Cancel
          </Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            autofocus={!danger}
            onPress={() => {
              onClose();
              onConfirm();
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
