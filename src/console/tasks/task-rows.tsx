import type { ComponentChildren, JSX } from 'preact';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { CallLine, CallRecord } from '../../contract/routes/calls.js';
import type { QueuedTask } from '../../contract/routes/state.js';
import { api } from '../api/fetch-api.js';
import { outcomeWords, recordTitle } from '../calls/detail/describe-call.js';
import { useCall } from '../live/use-resource.js';
import { installedIn, titleOfTarget } from '../live/where-installed.js';
import { go, GoLink } from '../shell/navigation.js';
import { Breakable } from '../text/breakable.js';
import { formatAge, formatDuration, formatTimeExact, formatTimeOrDate, formatWait } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { SourceLink } from '../text/source-link.js';
import { Button } from '../ui/button.js';
import { useAct } from '../ui/run-and-report.js';
import { Status } from '../ui/status.js';

const looks = {
  waiting: { tone: 'calm', text: 'Waiting' },
  running: { tone: 'info', text: 'Running' },
  paused: { tone: 'warn', text: 'Paused' },
} as const;

interface RowProps {
  status: JSX.Element;
  title: string;
  /** What distinguishes this row from similar ones. */
  notes: ComponentChildren;
  when: ComponentChildren;
  by: ComponentChildren;
  actions: ComponentChildren;
}

const Row = ({ status, title, notes, when, by, actions }: RowProps): JSX.Element => (
  <li class="task-row">
    <span>{status}</span>
    <div class="min-0">
      <strong class="wrap-anywhere">{title}</strong>
      {notes}
    </div>
    <div class="number">{when}</div>
    <div class="min-0">{by}</div>
    <div class="bar end">{actions}</div>
  </li>
);

interface QueuedTaskRowProps {
  task: QueuedTask;
  now: number;
  platform: PlatformResource;
  /** Whether another task has the same type. If so, its id is shown, too. */
  shared: boolean;
  /** The latest run of a task of this type. */
  last: CallLine | undefined;
}

export function QueuedTaskRow({ task, now, platform, shared, last }: QueuedTaskRowProps): JSX.Element {
  const { id, dueAt, integration, queuedBy, state, target } = task;
  const { type, ...payload } = task.task;
  const { busy, act } = useAct();
  const { tone, text } = looks[state];
  const { installation, site, space } = target;
  const where =
    installation === undefined
      ? 'the whole integration'
      : titleOfTarget(installedIn(platform), { installation, site, space });
  return (
    <Row
      status={<Status tone={tone}>{text}</Status>}
      title={showControls(type)}
      notes={
        <>
          {Object.keys(payload).length > 0 && (
            <code class="small cut block quiet" title={JSON.stringify(payload, null, 2)}>
              {showControls(JSON.stringify(payload))}
            </code>
          )}
          <p class="quiet small">
            for {where}
            {integration !== undefined && ` · ${integration}`}
          </p>
          {shared && <code class="small quiet wrap-anywhere">{id}</code>}
        </>
      }
      when={
        <>
          <strong>{dueAt > now ? `in ${formatWait(dueAt - now)}` : 'Due now'}</strong>
          <p class="quiet small" title={formatTimeExact(dueAt)}>
            at {formatTimeOrDate(dueAt, now)}
          </p>
          {last && (
            <p class="small">
              <span class="quiet">last run </span>
              <GoLink to={{ view: 'calls', call: last.id }} class={`toned ${outcomeWords(last).tone}`}>
                {outcomeWords(last).text}
              </GoLink>
              <span class="quiet"> {formatAge(now - last.time)}</span>
            </p>
          )}
        </>
      }
      by={queuedBy !== undefined && <QueuedBy call={queuedBy} task={id} now={now} />}
      actions={
        <>
          <Button
            kind="quiet"
            size="small"
            disabled={busy || state === 'running'}
            onPress={() => act(() => api('DELETE /tasks/{task}', { task: id }), 'Task cancelled')}
          >
            Cancel<span class="only-read-aloud">: {type}</span>
          </Button>
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
        </>
      }
    />
  );
}

/** A task that has run, with its result. */
export function TaskRun({ run, now }: { run: CallLine; now: number }): JSX.Element {
  const { busy, act } = useAct();
  const { id, subject, type, reason, at, cause, time, durationMs } = run;
  const { tone, text } = outcomeWords(run);
  const title = showControls(subject ?? type);
  return (
    <Row
      status={<Status tone={tone}>{text}</Status>}
      title={title}
      notes={
        reason !== undefined && (
          <p class={`small wrap-anywhere toned ${tone}`}>
            {showControls(reason)} {at && <SourceLink {...at} />}
          </p>
        )
      }
      when={
        <>
          <span title={formatTimeExact(time)}>{formatAge(now - time)}</span>
          <p class="quiet small">
            {formatTimeOrDate(time, now)} · {formatDuration(durationMs)}
          </p>
        </>
      }
      by={cause?.call !== undefined && <QueuedBy call={cause.call} task={cause.task} now={now} />}
      actions={
        <>
          <GoLink to={{ view: 'calls', call: id }} class="button small quiet">
            Open<span class="only-read-aloud">: {title}</span>
          </GoLink>
          <Button
            size="small"
            icon="replay"
            busy={busy}
            onPress={() =>
              act(async () =>
                go({ view: 'calls', call: (await api('POST /calls/{call}/replay', { call: id })).call }),
              )
            }
          >
            Run again<span class="only-read-aloud">: {title}</span>
          </Button>
        </>
      }
    />
  );
}

interface QueuedByProps {
  call: string;
  task: string | undefined;
  now: number;
}

/** The line and the call that queued a task. The call's path and time distinguish otherwise identical tasks. */
function QueuedBy({ call, task, now }: QueuedByProps): JSX.Element {
  const { data } = useCall(call);
  const place = data && lineThatQueued(data, task);
  return (
    <>
      {place && <SourceLink {...place} />}
      <p class="small">
        <span class="quiet">Queued by </span>
        <GoLink to={{ view: 'calls', call }} class="wrap-anywhere">
          {data ? <Breakable text={recordTitle(data)} /> : call}
        </GoLink>
      </p>
      {data && (
        <p class="quiet small number" title={formatTimeExact(data.time)}>
          at {formatTimeOrDate(data.time, now)}
          {formatTimeExact(data.time).slice(-4)}
        </p>
      )}
    </>
  );
}

/** A call's tasks are in the order of the requests that queued them. */
function lineThatQueued({ effects = [], outbound }: CallRecord, task: string | undefined): SourcePosition {
  const nth = effects.filter(({ type }) => type === 'task').findIndex(({ id }) => id === task);
  const requests = outbound.filter(
    ({ method, url, status }) =>
      method === 'POST' && status === 201 && /[/]integrations[/][^/]+[/]tasks$/.test(url),
  );
  return requests[nth]?.at;
}

type SourcePosition = CallRecord['outbound'][number]['at'];
