import type { JSX } from 'preact';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { QueuedTask } from '../../contract/routes/state.js';
import { api } from '../api/fetch-api.js';
import { CallLink } from '../calls/detail/call-link.js';
import { useResource } from '../live/use-resource.js';
import { installedIn, titleOfTarget } from '../live/where-installed.js';
import { go } from '../shell/navigation.js';
import { formatDuration, formatTime, formatTimeExact } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { useAct } from '../ui/run-and-report.js';
import { useNow } from '../ui/state/use-now.js';
import { Status } from '../ui/status.js';

const looks = {
  waiting: { tone: 'calm', text: 'Waiting' },
  running: { tone: 'info', text: 'Running' },
  paused: { tone: 'warn', text: 'Paused' },
} as const;

const mostShown = 20;

/**
 * The queued tasks, starting with the next one to run. Shows when each task is due, which call queued it, and what can be done
 * with it.
 */
export function TasksCard({ platform }: { platform: PlatformResource }): JSX.Element | null {
  const { data = [] } = useResource(
    'tasks',
    () => api('GET /tasks'),
    ({ type }) => type === 'task' || type === 'state-loaded' || type === 'installation',
  );
  const now = useNow(data.length > 0 ? 1000 : undefined);
  if (data.length === 0) return null;
  return (
    <Card title={data.length === 1 ? '1 queued task' : `${data.length} queued tasks`} flush>
      <ul class="tasks">
        {data.slice(0, mostShown).map((task) => (
          <Task key={task.id} task={task} now={now} platform={platform} />
        ))}
      </ul>
      {data.length > mostShown && (
        <p class="card-note quiet">
          {data.length - mostShown} more: <code>platform tasks list</code>
        </p>
      )}
    </Card>
  );
}

function Task(props: { task: QueuedTask; now: number; platform: PlatformResource }): JSX.Element {
  const { task, now, platform } = props;
  const { id, dueAt, queuedBy, state, target } = task;
  const { type, ...payload } = task.task;
  const { busy, act } = useAct();
  const { tone, text } = looks[state];
  const inMs = dueAt - now;
  const { installation, site, space } = target;
  return (
    <li class="task">
      <div class="grow">
        <p class="row">
          <strong class="wrap-anywhere">{showControls(type)}</strong>
          <Status tone={tone}>{text}</Status>
          <code class="quiet small cut">
            {Object.keys(payload).length > 0 && showControls(JSON.stringify(payload))}
          </code>
        </p>
        <p class="quiet small">
          <span class="number" title={formatTimeExact(dueAt)}>
            {inMs > 0
              ? `Due in ${formatDuration(Math.ceil(inMs / 1000) * 1000)}, at ${formatTime(dueAt)}`
              : 'Due now'}
          </span>
          {installation !== undefined &&
            ` · ${titleOfTarget(installedIn(platform), { installation, site, space })}`}
          {queuedBy !== undefined && (
            <>
              {' '}
              · Queued by <CallLink call={queuedBy} />
            </>
          )}
        </p>
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
