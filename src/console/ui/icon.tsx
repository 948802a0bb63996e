import type { JSX } from 'preact';
import { paths, type IconName } from './icon-paths.js';

export type { IconName };

/** If `label` is set, screen readers announce the icon. Otherwise, it is decorative. */
export function Icon({
  name,
  size = 16,
  label,
}: {
  name: IconName;
  size?: number;
  label?: string;
}): JSX.Element {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={paths[name]} />
    </svg>
  );
}
