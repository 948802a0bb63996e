import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';

interface MenuProps {
  label: string;
  icon?: IconName;
  /** Whether the button shows its label next to the icon. */
  showLabel?: boolean;
  children: ComponentChildren;
}

/** A button that shows rarely needed actions below it. */
export function Menu({ label, icon = 'more', showLabel = false, children }: MenuProps): JSX.Element {
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
      class="relative"
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
        class={showLabel ? 'button small' : 'button small quiet bare'}
        aria-label={showLabel ? undefined : label}
        title={showLabel ? undefined : label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
        {showLabel && label}
      </button>
      {open && (
        <div class="column popup menu-items" onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  );
}
