import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.js';

interface ButtonProps {
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 'small' | 'medium';
  icon?: IconName;
  /** The accessible name and tooltip of an icon-only button. */
  label?: string;
  children?: ComponentChildren;
  onPress?: () => void;
  disabled?: boolean;
  busy?: boolean;
  submit?: boolean;
  pressed?: boolean;
  autofocus?: boolean;
}

export function Button(props: ButtonProps): JSX.Element {
  const {
    kind = 'secondary',
    size = 'medium',
    icon,
    label,
    children,
    onPress,
    disabled,
    busy,
    pressed,
  } = props;
  return (
    <button
      type={props.submit ? 'submit' : 'button'}
      class={`button ${kind} ${size}${children ? '' : ' bare'}`}
      aria-label={children ? undefined : label}
      title={label}
      aria-busy={busy || undefined}
      aria-pressed={pressed}
      disabled={disabled ?? false}
      autofocus={props.autofocus ?? false}
      onClick={busy ? undefined : onPress}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children && <span class="button-text">{children}</span>}
    </button>
  );
}
