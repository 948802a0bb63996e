import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { describeLine, outcomeWords } from '../calls/detail/describe-call.js';
import { followRecentCalls, recentCalls } from '../live/recent-calls.js';
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

const shown = 8;
const severityLabels = { error: 'Error', warning: 'Warning' };

/** The latest calls and their severity. `command` is the command that sends a first event. */
export function LatestCalls({ command }: { command: string }): JSX.Element {
  const { lines, loading } = useCell(recentCalls.view);
  useEffect(followRecentCalls, []);
  return (
    <Card title="Latest calls" flush actions={<GoLink to={{ view: 'calls' }}>All calls</GoLink>}>
      {lines.length === 0 && loading ? (
        <LoadingState />
      ) : lines.length === 0 ? (
        <EmptyState icon="calls" title="No calls yet" action={<Command text={command} />}>
          <p>Send an event from the project's folder. Calls appear here immediately.</p>
        </EmptyState>
      ) : (
        <ul class="recent">
          {lines.slice(0, shown).map((line) => {
            const { severity, reason, id, durationMs, time } = line;
            const { title, detail } = describeLine(line);
            const { tone, text } = outcomeWords(line);
            return (
              <li key={id} class={severity}>
                <GoLink to={{ view: 'calls', call: id }} class="recent-link">
                  <span class="recent-severity">
                    {severity !== 'none' && <Icon name={severity} label={severityLabels[severity]} />}
                  </span>
                  <span class="recent-title cut">{showControls(title)}</span>
                  <span class="recent-detail cut quiet">{showControls(reason ?? detail)}</span>
                  <Status tone={tone}>{text}</Status>
                  <span class="number quiet recent-ms">{formatDuration(durationMs)}</span>
                  <span class="number quiet recent-time">{formatTime(time)}</span>
                </GoLink>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
