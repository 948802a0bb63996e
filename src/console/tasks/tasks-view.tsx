import { passTime } from '../../contract/call.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { CallLine } from '../../contract/routes/calls.js';
import { api } from '../api/fetch-api.js';
import { IntegrationFacet, isOf } from '../live/integration-facet.js';
import { useDue, useTasks } from '../live/queued-tasks.js';
import { useResource } from '../live/use-resource.js';
import { formatTime, formatTimeExact, formatWait } from '../text/format.js';
import { DueCard } from './due-card.js';
import { QueuedTaskRow, TaskRun } from './task-rows.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Icon } from '../ui/icon.js';
import { useAct } from '../ui/run-and-report.js';
import { useNow } from '../ui/state/use-now.js';
import { Code } from '../text/code/code.js';

const mostShown = 50;
const mostRuns = 20;

export function TasksView({ platform }: { platform: PlatformResource }): JSX.Element {
  const all = useTasks();
  const [only, setOnly] = useState<string>();
  const tasks = all.filter(isOf(only));
  const due = useDue().filter(isOf(only));
  const now = useNow(1000);
  const runs = useRuns(only);
  const isEmpty = due.length === 0 && runs.length === 0 && only === undefined;
  return (
    <div class="page stack">
      <ClockBar ahead={platform.clockAhead} now={now} next={due.find(({ at }) => at > now)?.at} />
      {isEmpty ? (
        <NoTasks />
      ) : (
        <>
          <Card
            title={titleOf(tasks.length)}
            flush
            actions={<IntegrationFacet entries={all} value={only} onChoose={setOnly} />}
          >
            {tasks.length > 0 && (
              <ul class="rows">
                {tasks.slice(0, mostShown).map((task) => (
                  <QueuedTaskRow
                    key={task.id}
                    task={task}
                    now={now}
                    platform={platform}
                    shared={tasks.some((one) => one !== task && one.task.type === task.task.type)}
                    last={runs.find(({ subject }) => subject === task.task.type)}
                  />
                ))}
              </ul>
            )}
            {tasks.length > mostShown && (
              <p class="card-note quiet">
                {tasks.length - mostShown} more: <code>platform tasks list</code>
              </p>
            )}
          </Card>
          <DueCard title="Also due" due={due.filter(({ what }) => what !== 'task')} most={mostShown} />
          {runs.length > 0 && (
            <Card title="Latest runs" flush>
              <ul class="rows">
                {runs.map((run) => (
                  <TaskRun key={run.id} run={run} now={now} />
                ))}
              </ul>
            </Card>
          )}
        </>
      )}
    </div>
  );
}

function NoTasks(): JSX.Element {
  return (
    <Card title="No queued tasks" flush>
      <div class="stack teach">
        <p>
          A task is work for later. It waits here with the line that queued it, and runs when it is due. To
          run it sooner, move the time above.
        </p>
        <Code text={example} label="A script that queues a task" />
      </div>
    </Card>
  );
}

const example = `// In a handler: run a task in an hour.
await context.integration.queueTask({
  task: { type: 'sync', page: 2 },
  schedule: 3600,
});

// In createIntegration({ … }): what runs when it is due.
async task(task) {
  console.info('running', task.type);
},`;

const HOUR_MS = 3_600_000;

/** Moves the platform's time, to see what happens later. */
function ClockBar(props: { ahead: number; now: number; next: number | undefined }): JSX.Element {
  const { ahead, now, next } = props;
  const { busy, act } = useAct();
  const pass = (to: number): void => act(() => letTimePass(to));
  return (
    <section class="row card clock-bar" role="group" aria-label="The platform's time">
      <Icon name="clock" size={20} />
      <p class="number">
        <strong>{formatTime(now)}</strong>{' '}
        <span class="quiet">
          {formatTimeExact(now).slice(0, 10)}
          {Math.abs(ahead) >= 1000 && ` · ${formatWait(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`}
        </span>
      </p>
      <span class="grow" />
      {ahead !== 0 && (
        <Button kind="quiet" size="small" disabled={busy} onPress={() => act(() => api('DELETE /clock'))}>
          Real time
        </Button>
      )}
      <Button size="small" disabled={busy} onPress={() => pass(now + HOUR_MS)}>
        1 hour later
      </Button>
      <Button size="small" disabled={busy} onPress={() => pass(now + 24 * HOUR_MS)}>
        1 day later
      </Button>
      <Button
        size="small"
        kind={next === undefined ? 'secondary' : 'primary'}
        icon="skip"
        busy={busy}
        disabled={next === undefined}
        onPress={() => pass(next ?? now)}
      >
        To what is due next
      </Button>
    </section>
  );
}

async function letTimePass(to: number): Promise<void> {
  const { stopped } = await passTime(api, to);
  if (stopped) throw new Error('Stopped, because too many calls were due. A task may queue itself again.');
}

const titleOf = (count: number): string =>
  count === 0 ? 'No queued tasks' : count === 1 ? '1 queued task' : `${count} queued tasks`;

const useRuns = (integration: string | undefined): CallLine[] =>
  (
    useResource(
      `task runs ${integration}`,
      () => api('GET /calls', { type: 'task', limit: mostRuns, integration }),
      (event) =>
        (event.type === 'call-started' || event.type === 'call-finished') && event.call.type === 'task',
    ).data ?? []
  ).toReversed();
