import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from '../icon.js';

export function EmptyState(props: {
  icon: IconName;
  title: string;
  action?: JSX.Element;
  children?: ComponentChildren;
}): JSX.Element {
  const { icon, title, action, children } = props;
  return (
    <div class="stack tight empty">
      <span class="tile card empty-icon">
        <Icon name={icon} size={20} />
      </span>
      <p class="empty-title">{title}</p>
      {(children || action) && (
        <div class="empty-text">
          {children}
          {action && <div class="row">{action}</div>}
        </div>
      )}
    </div>
  );
}
