import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.js';

/** Where there is nothing yet, it says what to do next. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={props.icon} size={20} />
      </span>
      <p class="empty-title">{props.title}</p>
      {props.children && <div class="empty-text">{props.children}</div>}
    </div>
  );
}
