import type { JSX } from 'preact';
import type { TrafficEntry } from '../../../contract/routes/calls.js';
import { MarkupWarnings } from '../../markup/markup-warnings.js';
import { Facts } from '../../ui/facts.js';
import { Failure } from '../../ui/messages/failure.js';
import { Icon } from '../../ui/icon.js';
import { formatBytes } from '../../../base/text/format-bytes.js';
import { formatDuration, formatTimeExact } from '../../text/format.js';
import { JsonView } from '../../text/json-view.js';
import { showControls } from '../../text/show-controls.js';
import { CallBody } from './call-body.js';
import { HeadroomFacts, NearLimits } from './headroom.js';
import { LogLines } from './log-lines.js';
import { belowEndpoint } from '../../../base/text/below-endpoint.js';

const mostErrors = 3;

const origins: Record<TrafficEntry['source'], string> = {
  request: 'an HTTP request',
  event: 'the platform',
  script: 'the script itself, outside any call',
};

/** What one wants to know first: did it fail, why, and where the time went. */
export function EntrySummary({
  entry,
  showLogs,
}: {
  entry: TrafficEntry;
  showLogs: () => void;
}): JSX.Element {
  const { error, failure, outcome, logs, time, warnings = [] } = entry;
  const errors = logs.filter(({ level }) => level === 'error').slice(0, mostErrors);
  return (
    <div class="stack">
      {failure && <Failure failure={failure} />}
      {error !== undefined && !failure && (
        <div class={outcome === 'withheld' ? 'notice warn' : 'notice bad'} role="note">
          <Icon name="error" />
          <div>{showControls(error)}</div>
        </div>
      )}
      <NearLimits entry={entry} />
      <MarkupWarnings warnings={warnings} />
      {errors.length > 0 && <LogLines lines={errors} since={time} />}
      {logs.length > errors.length && (
        <button type="button" class="text-button start" onClick={showLogs}>
          All {logs.length} log lines
        </button>
      )}
      <section>
        <h3 class="section-title">Timing</h3>
        <Timing entry={entry} />
      </section>
      {entry.event && (
        <section>
          <h3 class="section-title">Event</h3>
          <JsonView value={entry.event} label="Event" />
        </section>
      )}
      {entry.response && (
        <section>
          <h3 class="section-title">Answer</h3>
          <CallBody entry={entry} which="response" />
        </section>
      )}
      <HeadroomFacts entry={entry} />
      <Facts
        facts={[
          ['Time', formatTimeExact(time)],
          ['Took', formatDuration(entry.durationMs)],
          ['Version', `v${entry.version}`],
          ['Came from', origins[entry.source]],
          ['Received', formatBytes(entry.requestBytes)],
          ['Sent', formatBytes(entry.responseBytes)],
        ]}
      />
    </div>
  );
}

interface Bar {
  label: string;
  start: number;
  length: number;
  kind: 'whole' | 'call' | 'failed';
}

/** The call and what it waited for, on one time line. */
function Timing({ entry }: { entry: TrafficEntry }): JSX.Element {
  const whole = entry.durationMs ?? 0;
  const bars: Bar[] = [
    { label: 'The script', start: 0, length: whole, kind: 'whole' },
    ...entry.outbound.map((call): Bar => {
      // A call is told of when it ends.
      const start = Math.max(0, call.time - entry.time);
      const failed = call.status === 0 || call.status >= 400;
      const label = `${call.method} ${hostOf(call.url)}`;
      return { label, start, length: call.durationMs, kind: failed ? 'failed' : 'call' };
    }),
  ];
  const end = Math.max(1, ...bars.map(({ start, length }) => start + length));
  const percent = (value: number): string => `${(value / end) * 100}%`;
  return (
    <ol class="timing">
      {bars.map(({ label, start, length, kind }, index) => (
        <li key={index}>
          <span class="timing-label cut" title={label}>
            {label}
          </span>
          <span class="timing-lane">
            <span
              class={`timing-bar ${kind}`}
              style={{ insetInlineStart: percent(start), width: `max(3px, ${percent(length)})` }}
            />
          </span>
          <span class="timing-ms number">{formatDuration(length)}</span>
        </li>
      ))}
    </ol>
  );
}

function hostOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname === '/' ? '' : pathname}`;
  } catch {
    return belowEndpoint(url);
  }
}
