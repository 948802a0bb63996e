import type { JSX } from 'preact';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { QueuedTask } from '../../contract/routes/state.js';
import { api } from '../api/fetch-api.js';
import { recordTitle } from '../calls/detail/describe-call.js';
import { useTasks } from '../live/queued-tasks.js';
import { useCall } from '../live/use-resource.js';
import { installedIn, titleOfTarget } from '../live/where-installed.js';
import { go, GoLink } from '../shell/navigation.js';
import { formatTimeExact, formatTimeOrDate, formatWait } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { useAct } from '../ui/run-and-report.js';
import { useNow } from '../ui/state/use-now.js';
import { Status } from '../ui/status.js';

const looks = {
  waiting: { tone: 'calm', text: 'Waiting' },
  running: { tone: 'info', text: 'Running' },
  paused: { tone: 'warn', text: 'Paused' },
} as const;

const mostShown = 50;

/**
 * The queued tasks, starting with the next one to run. Shows when each task is due, which call queued it, and what can be done
 * with it.
 */
export function TasksView({ platform }: { platform: PlatformResource }): JSX.Element {
  const tasks = useTasks();
  const now = useNow(tasks.length > 0 ? 1000 : undefined);
  if (tasks.length === 0) {
    return (
      <EmptyState icon="clock" title="No queued tasks">
        <p>A script queues tasks through the API. They are listed here until they have run.</p>
      </EmptyState>
    );
  }
  return (
    <div class="page">
      <Card title={tasks.length === 1 ? '1 queued task' : `${tasks.length} queued tasks`} flush>
        <ul class="tasks">
          {tasks.slice(0, mostShown).map((task) => (
            <Task key={task.id} task={task} now={now} platform={platform} />
          ))}
        </ul>
        {tasks.length > mostShown && (
          <p class="card-note quiet">
            {tasks.length - mostShown} more: <code>platform tasks list</code>
          </p>
        )}
      </Card>
    </div>
  );
}

function Task(props: { task: QueuedTask; now: number; platform: PlatformResource }): JSX.Element {
  const { task, now, platform } = props;
  const { id, dueAt, queuedBy, state, target } = task;
  const { type, ...payload } = task.task;
  const { busy, act } = useAct();
  const { tone, text } = looks[state];
  const { installation, site, space } = target;
  return (
    <li class="task">
      <div class="task-what">
        <p class="row">
          <strong class="wrap-anywhere">{showControls(type)}</strong>
          <Status tone={tone}>{text}</Status>
          {Object.keys(payload).length > 0 && (
            <code class="small cut task-payload" title={JSON.stringify(payload, null, 2)}>
              {showControls(JSON.stringify(payload))}
            </code>
          )}
        </p>
        <p class="small">
          <strong class="number" title={formatTimeExact(dueAt)}>
            {dueAt > now ? `At ${formatTimeOrDate(dueAt, now)}, in ${formatWait(dueAt - now)}` : 'Due now'}
          </strong>
          {', for '}
          {installation === undefined
            ? 'the whole integration'
            : titleOfTarget(installedIn(platform), { installation, site, space })}
        </p>
        {queuedBy !== undefined && <QueuedBy call={queuedBy} />}
      </div>
      <div class="row">
        <Button
          size="small"
          icon="play"
          busy={busy}
          disabled={state !== 'waiting'}
          onPress={() =>
            act(async () => {
              const { call } = await api('POST /tasks/{task}/run', { task: id });
              if (call !== undefined) go({ view: 'calls', call });
            })
          }
        >
          Run now<span class="only-read-aloud">: {type}</span>
        </Button>
        <Button
          size="small"
          disabled={busy || state === 'running'}
          onPress={() => act(() => api('DELETE /tasks/{task}', { task: id }), 'Task cancelled')}
        >
          Cancel<span class="only-read-aloud">: {type}</span>
        </Button>
      </div>
    </li>
  );
}

/** The call that queued a task. Its time and id distinguish tasks that are otherwise equal. */
function QueuedBy({ call }: { call: string }): JSX.Element {
  const { data } = useCall(call);
  return (
    <p class="quiet small wrap-anywhere">
      Queued {data && <span class="number">at {formatTimeExact(data.time).slice(11)} </span>}by{' '}
      <GoLink to={{ view: 'calls', call }}>
        {data && `${showControls(recordTitle(data))} `}
        <span class="mono">{call}</span>
      </GoLink>
    </p>
  );
}
