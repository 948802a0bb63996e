import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.js';

/** Actions that are shown next to the others if there is room, and otherwise in a menu. */
export function MoreActions({ children }: { children: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const close = ({ target }: Event): void => {
      if (!(target instanceof Node && element.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [open]);
  return (
    <div
      class="more-actions"
      ref={element}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.preventDefault();
        setOpen(false);
        element.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class="button bare"
        aria-label="More actions"
        title="More actions"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      <div class={open ? 'more-items open' : 'more-items'} onClick={() => setOpen(false)}>
        {children}
      </div>
    </div>
  );
}
