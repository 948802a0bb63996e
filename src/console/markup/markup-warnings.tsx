import type { JSX } from 'preact';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import { Icon } from '../ui/icon.js';

/** Warns about unknown elements and properties. The platform does not remove them, so they also reach production. */
export function MarkupWarnings({ warnings }: { warnings: readonly MarkupProblem[] }): JSX.Element | null {
  if (warnings.length === 0) return null;
  return (
    <div class="notice warn" role="note" aria-label="Unknown markup">
      <Icon name="warning" />
      <div>
        {warnings.map(({ message, help }) => (
          <p key={message} class="wrap-anywhere">
            {message} {help}
          </p>
        ))}
      </div>
    </div>
  );
}
