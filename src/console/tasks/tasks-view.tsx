import { passTime } from '../../contract/call.js';
import type { JSX } from 'preact';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { CallLine } from '../../contract/routes/calls.js';
import type { QueuedTask } from '../../contract/routes/state.js';
import { api } from '../api/fetch-api.js';
import { outcomeWords, recordTitle } from '../calls/detail/describe-call.js';
import { useDue, useTasks } from '../live/queued-tasks.js';
import { useCall, useResource } from '../live/use-resource.js';
import { installedIn, titleOfTarget } from '../live/where-installed.js';
import { go, GoLink } from '../shell/navigation.js';
import { Breakable } from '../text/breakable.js';
import { formatDuration, formatTimeExact, formatTimeOrDate, formatWait } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { DueCard } from './due-card.js';
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

export function TasksView({ platform }: { platform: PlatformResource }): JSX.Element {
  const tasks = useTasks();
  const due = useDue();
  const now = useNow(tasks.length > 0 ? 1000 : undefined);
  const runs = useRuns();
  if (due.length === 0 && runs.length === 0) {
    return (
      <>
        {platform.clockAhead !== 0 && <ClockBar ahead={platform.clockAhead} next={undefined} />}
        <EmptyState icon="clock" title="No queued tasks">
          <p>A script queues tasks through the API. They are listed here until they have run.</p>
        </EmptyState>
      </>
    );
  }
  return (
    <div class="page">
      <div class="stack">
        <ClockBar ahead={platform.clockAhead} next={due.find(({ at }) => at > now)?.at} />
        <Card title={titleOf(tasks.length)} flush>
          {tasks.length > 0 && (
            <>
              <p class="task-columns quiet small" aria-hidden="true">
                <span>Task</span>
                <span>Due</span>
                <span>Queued by</span>
              </p>
              <ul class="tasks">
                {tasks.slice(0, mostShown).map((task) => (
                  <Task
                    key={task.id}
                    task={task}
                    now={now}
                    platform={platform}
                    shared={tasks.some((one) => one !== task && one.task.type === task.task.type)}
                  />
                ))}
              </ul>
            </>
          )}
          {tasks.length > mostShown && (
            <p class="card-note quiet">
              {tasks.length - mostShown} more: <code>platform tasks list</code>
            </p>
          )}
        </Card>
        <DueCard title="Also due" due={due.filter(({ what }) => what !== 'task')} most={mostShown} />
        {runs.length > 0 && <Runs runs={runs} now={now} />}
      </div>
    </div>
  );
}

const HOUR_MS = 3_600_000;

/** Moves the platform's time, to see what happens later. */
function ClockBar({ ahead, next }: { ahead: number; next: number | undefined }): JSX.Element {
  const now = useNow(1000);
  const { busy, act } = useAct();
  const pass = (to: number): void => act(() => letTimePass(to));
  return (
    <div class="row end" role="group" aria-label="The platform's time">
      <span class="quiet number grow">
        {formatTimeExact(now).replace(/[.]\d+$/, '')}
        {Math.abs(ahead) >= 1000 && ` · ${formatWait(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`}
      </span>
      <Button
        size="small"
        icon="clock"
        busy={busy}
        disabled={next === undefined}
        onPress={() => pass(next ?? now)}
      >
        To what is due next
      </Button>
      <Button size="small" disabled={busy} onPress={() => pass(now + HOUR_MS)}>
        1 hour later
      </Button>
      <Button size="small" disabled={busy} onPress={() => pass(now + 24 * HOUR_MS)}>
        1 day later
      </Button>
      {ahead !== 0 && (
        <Button kind="quiet" size="small" disabled={busy} onPress={() => act(() => api('DELETE /clock'))}>
          Real time
        </Button>
      )}
    </div>
  );
}

async function letTimePass(to: number): Promise<void> {
  const { stopped } = await passTime(api, to);
  if (stopped) throw new Error('Stopped, because too many calls were due. A task may queue itself again.');
}

const titleOf = (count: number): string =>
  count === 0 ? 'No queued tasks' : count === 1 ? '1 queued task' : `${count} queued tasks`;

const mostRuns = 10;

const useRuns = (): CallLine[] =>
  (
    useResource(
      'task runs',
      () => api('GET /calls', { type: 'task', limit: mostRuns }),
      (event) =>
        (event.type === 'call-started' || event.type === 'call-finished') && event.call.type === 'task',
    ).data ?? []
  ).toReversed();

function Runs({ runs, now }: { runs: readonly CallLine[]; now: number }): JSX.Element {
  return (
    <Card title="Latest runs" flush>
      <ul class="recent">
        {runs.map((line) => (
          <li key={line.id} class={line.severity}>
            <GoLink to={{ view: 'calls', call: line.id }} class="bar pick recent-link">
              <span class="recent-title cut">{showControls(line.subject ?? line.type)}</span>
              <span class="recent-detail cut quiet">{showControls(line.reason ?? '')}</span>
              {line.at && <code class="quiet">{`${line.at.file}:${line.at.line}`}</code>}
              <Status tone={outcomeWords(line).tone}>{outcomeWords(line).text}</Status>
              <span class="number quiet recent-ms">{formatDuration(line.durationMs)}</span>
              <span class="number quiet recent-time">{formatTimeOrDate(line.time, now)}</span>
            </GoLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface TaskProps {
  task: QueuedTask;
  now: number;
  platform: PlatformResource;
  /** Whether another task has the same type. If so, its id is shown, too. */
  shared: boolean;
}

function Task({ task, now, platform, shared }: TaskProps): JSX.Element {
  const { id, dueAt, integration, queuedBy, state, target } = task;
  const { type, ...payload } = task.task;
  const { busy, act } = useAct();
  const { tone, text } = looks[state];
  const { installation, site, space } = target;
  return (
    <li class="task">
      <div class="task-what">
        <p class="row">
          <strong class="wrap-anywhere">{showControls(type)}</strong>
          {state !== 'waiting' && <Status tone={tone}>{text}</Status>}
        </p>
        <p class="quiet small">
          for{' '}
          {installation === undefined
            ? 'the whole integration'
            : titleOfTarget(installedIn(platform), { installation, site, space })}
          {integration !== undefined && ` · ${integration}`}
        </p>
        {shared && <code class="small quiet wrap-anywhere">{id}</code>}
        {Object.keys(payload).length > 0 && (
          <code class="small cut block quiet" title={JSON.stringify(payload, null, 2)}>
            {showControls(JSON.stringify(payload))}
          </code>
        )}
      </div>
      <p class="task-due number" title={formatTimeExact(dueAt)}>
        {dueAt > now ? (
          <>
            <strong>in {formatWait(dueAt - now)}</strong>
            <br />
            <span class="quiet small">at {formatTimeOrDate(dueAt, now)}</span>
          </>
        ) : (
          <strong>Due now</strong>
        )}
      </p>
      {queuedBy === undefined ? <span class="task-by" /> : <QueuedBy call={queuedBy} now={now} />}
      <div class="bar task-actions">
        <Button
          size="small"
          icon="play"
          busy={busy}
          disabled={state !== 'waiting'}
          onPress={() =>
            act(async () => {
              const { call } = await api('POST /tasks/{task}/run', { task: id });
              go({ view: 'calls', call });
            })
          }
        >
          Run now<span class="only-read-aloud">: {type}</span>
        </Button>
        <Button
          kind="quiet"
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

/** The call that queued a task. Its path and time distinguish otherwise identical tasks. */
function QueuedBy({ call, now }: { call: string; now: number }): JSX.Element {
  const { data } = useCall(call);
  return (
    <p class="task-by">
      <span class="quiet small task-by-label">Queued by </span>
      <GoLink to={{ view: 'calls', call }} class="wrap-anywhere">
        {data ? <Breakable text={recordTitle(data)} /> : call}
      </GoLink>
      {data && (
        <>
          <br />
          <span class="quiet small number" title={formatTimeExact(data.time)}>
            at {formatTimeOrDate(data.time, now)}
            {formatTimeExact(data.time).slice(-4)}
          </span>
        </>
      )}
    </p>
  );
}
