import type { ComponentChildren, JSX } from 'preact';
import type { DueItem } from '../../contract/routes/state.js';
import { formatTimeOrDate, formatWait } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Card } from '../ui/card.js';
import { useNow } from '../ui/state/use-now.js';

const words = { task: 'Task', retry: 'Retry', expiry: 'Expires' } as const;

/** Lists what is due, with the cause of each. */
export function DueCard(props: {
  title: string;
  due: readonly DueItem[];
  most: number;
  actions?: ComponentChildren;
}): JSX.Element | null {
  const { title, due, most, actions } = props;
  const now = useNow(due.length > 0 ? 1000 : undefined);
  if (due.length === 0) return null;
  return (
    <Card title={title} actions={actions}>
      <ul class="stack tight">
        {due.slice(0, most).map(({ at, what, title, id, why }) => (
          <li key={`${what} ${id} ${title}`} class="number">
            {words[what]}: <strong>{showControls(title)}</strong>
            {at > now ? ` at ${formatTimeOrDate(at, now)}, in ${formatWait(at - now)}` : ', due now'}
            {why !== undefined && <span class="quiet small"> {showControls(why)}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
