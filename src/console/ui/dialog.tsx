import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { sessionEnd } from '../api/session-state.js';
import { Button } from './button.js';
import { Command } from './command.js';
import { Icon } from './icon.js';
import { useCell } from './state/observable-cell.js';

interface DialogProps {
  title: string;
  subtitle?: string | undefined;
  size?: 'small' | 'medium' | 'xlarge' | 'fullscreen';
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
}

const firstControl = '.dialog-body :is(input, select, textarea, button):not(:disabled)';

/** A native dialog that traps focus and restores it when closed. */
export function Dialog(props: DialogProps): JSX.Element {
  const { title, subtitle, size = 'medium', onClose, children, footer } = props;
  const element = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  /** Where the mouse button was pressed. Ending a text selection outside the dialog must not close the dialog. */
  const pressed = useRef<EventTarget | null>(null);
  /** Also shown in the dialog, which covers the notice on the page. */
  const ended = useCell(sessionEnd) !== undefined;
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const content = body.current;
    if (!dialog || !content) return undefined;
    if (!dialog.open) dialog.showModal();
    if (focusFirst(dialog)) return () => dialog.close();
    // Otherwise, the browser would focus the close button.
    content.focus();
    const loaded = new MutationObserver(() => {
      if (document.activeElement !== content || focusFirst(dialog)) loaded.disconnect();
    });
    loaded.observe(content, { childList: true, subtree: true });
    return () => {
      loaded.disconnect();
      dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`popup dialog ${size}`}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        pressed.current = event.target;
      }}
      onClick={(event) => {
        if (event.target === element.current && pressed.current === element.current) onClose();
      }}
    >
      <div class="column dialog-frame">
        <div class="bar align-start dialog-head">
          <div class="wrap-anywhere">
            <h2 class="clamp" id={`${id}-title`}>
              {title}
            </h2>
            {subtitle && <p class="quiet">{subtitle}</p>}
          </div>
          <Button kind="quiet" icon="cross" label="Close" onPress={onClose} />
        </div>
        {ended && (
          <div class="notice warn dialog-notice" role="alert">
            <Icon name="warning" />
            <div>
              <p>This session has ended. Close this dialog to keep what you typed, and start it again:</p>
              <Command text="platform dev" />
            </div>
          </div>
        )}
        <div class="dialog-body" ref={body} tabIndex={-1}>
          {children}
        </div>
        {footer && <div class="wrap dialog-foot">{footer}</div>}
      </div>
    </dialog>
  );
}

/** Focuses the first control in the content. Returns false if there is no control yet. */
function focusFirst(dialog: HTMLDialogElement): boolean {
  const control =
    dialog.querySelector<HTMLElement>('[autofocus]') ?? dialog.querySelector<HTMLElement>(firstControl);
  control?.focus();
  return control !== null;
}
