import type { JSX } from 'preact';
import { createCell, useCell } from './state/observable-cell.js';
import { Icon } from './icon.js';

interface Toast {
  id: number;
  tone: 'ok' | 'bad';
  text: string;
}

const toasts = createCell<Toast[]>([]);
let next = 0;

/** Shows a message in the corner, which screen readers also announce. Errors stay until dismissed. */
export function showToast(text: string, tone: Toast['tone'] = 'ok'): void {
  next += 1;
  const id = next;
  toasts.set([
    ...toasts
      .get()
      .filter((toast) => toast.text !== text)
      .slice(-3),
    { id, tone, text },
  ]);
  if (tone === 'ok') setTimeout(() => dismiss(id), 2600);
}

const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export function Toasts(): JSX.Element {
  return (
    <div class="stack tight toasts" role="status" aria-live="polite">
      {useCell(toasts).map(({ id, tone, text }) => (
        <div key={id} class={`bar popup toast ${tone}`}>
          <Icon name={tone === 'ok' ? 'check' : 'error'} />
          <span class="grow wrap-anywhere">{text}</span>
          {tone === 'bad' && (
            <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
              <Icon name="cross" size={14} />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
