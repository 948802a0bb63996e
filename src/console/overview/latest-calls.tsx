import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { describeLine, outcomeWords } from '../calls/detail/describe-call.js';
import { GoLink } from '../shell/navigation.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Card } from '../ui/card.js';
import { Icon } from '../ui/icon.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Status } from '../ui/status.js';
import { Command } from '../ui/command.js';
import { api } from '../api/fetch-api.js';
import { createPagedList } from '../api/paged-list.js';
import type { CallLine } from '../../contract/routes/calls.js';
import { onLive } from '../live/live-stream.js';

/** Renders calls together if many arrive per second. */
const drawEveryMs = 250;
const latest = 20;

/** The newest calls, regardless of the filter in the list of calls. */
const recentCalls = createPagedList<CallLine, undefined>({
  filter: undefined,
  load: () => api('GET /calls', { limit: latest }),
  matches: () => true,
  timeOf: ({ time }) => time,
  schedule: (draw) => void setTimeout(draw, drawEveryMs),
});

/** Keeps the calls up to date while the overview is open. */
function followRecentCalls(): () => void {
  recentCalls.reload();
  return onLive((event) => {
    if (event.type === 'call-started' || event.type === 'call-finished') recentCalls.put(event.call);
    else if (event.type === 'call-changed') void putAgain(event.call);
    else if (event.type === 'reset') recentCalls.reload();
  });
}

/** Updates a call after its response, because background work can fail and change the call's severity. */
async function putAgain(call: string): Promise<void> {
  if (!recentCalls.view.get().lines.some(({ id }) => id === call)) return;
  try {
    for (const line of await api('GET /calls', { ids: call })) recentCalls.put(line);
  } catch {
    // The page already shows that the platform is not responding.
  }
}

/** Whether one of the console's own recent renders has a problem. The counts do not include these renders. */
export const useShownProblem = (current: number): boolean =>
  useCell(recentCalls.view).lines.some(
    ({ cause, severity, version }) => cause?.type === 'display' && severity !== 'none' && version === current,
  );

const shown = 8;
const severityLabels = { error: 'Error', warning: 'Warning' };

/** The latest calls and their severity. `command` is a command that causes a first call. */
export function LatestCalls({ command }: { command: string }): JSX.Element {
  const { lines, loading } = useCell(recentCalls.view);
  useEffect(followRecentCalls, []);
  return (
    <Card title="Latest calls" flush actions={<GoLink to={{ view: 'calls' }}>All calls</GoLink>}>
      {lines.length === 0 && loading ? (
        <LoadingState />
      ) : lines.length === 0 ? (
        <EmptyState icon="calls" title="No calls yet" action={<Command text={command} />}>
          <p>Run this in the project's folder. Calls appear here immediately.</p>
        </EmptyState>
      ) : (
        <ul class="recent">
          {lines.slice(0, shown).map((line) => {
            const { severity, reason, id, durationMs, time } = line;
            const { title, detail } = describeLine(line);
            const { tone, text } = outcomeWords(line);
            return (
              <li key={id} class={severity}>
                <GoLink to={{ view: 'calls', call: id }} class="bar pick recent-link">
                  <span class="recent-severity">
                    {severity !== 'none' && <Icon name={severity} label={severityLabels[severity]} />}
                  </span>
                  <span class="recent-title semi cut">{showControls(title)}</span>
                  <span class="recent-detail cut quiet">{showControls(reason ?? detail)}</span>
                  <Status tone={tone}>{text}</Status>
                  <span class="number quiet recent-ms">{formatDuration(durationMs)}</span>
                  <span class="number quiet nowrap recent-time">{formatTime(time)}</span>
                </GoLink>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
