import type { JSX } from 'preact';
import { useTasks } from '../live/queued-tasks.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime, formatWait } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Card } from '../ui/card.js';
import { useNow } from '../ui/state/use-now.js';

/** The number of queued tasks, and when the next one is due. */
export function NextTask(): JSX.Element | null {
  const tasks = useTasks();
  const [next] = tasks;
  const now = useNow(next && 1000);
  if (!next) return null;
  const { task, dueAt } = next;
  return (
    <Card
      title={tasks.length === 1 ? '1 queued task' : `${tasks.length} queued tasks`}
      actions={<GoLink to={{ view: 'tasks' }}>{tasks.length === 1 ? 'Show the task' : 'All tasks'}</GoLink>}
    >
      <p class="number">
        Next: <strong>{showControls(task.type)}</strong>
        {dueAt > now ? ` at ${formatTime(dueAt)}, in ${formatWait(dueAt - now)}` : ', due now'}
      </p>
    </Card>
  );
}
