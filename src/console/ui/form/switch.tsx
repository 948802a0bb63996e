import type { JSX } from 'preact';
import type { ControlIds } from './control-ids.js';

export function Switch(props: {
  ids: ControlIds;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}): JSX.Element {
  const { ids, checked, disabled = false, onChange } = props;
  return (
    <button
      {...ids}
      type="button"
      role="switch"
      class="switch"
      aria-checked={checked}
      disabled={disabled}
      onClick={() => onChange(!checked)}
    >
      <span class="switch-knob" aria-hidden="true" />
    </button>
  );
}
