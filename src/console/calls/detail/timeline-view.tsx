import type { JSX } from 'preact';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { formatDuration } from '../../text/format.js';
import { useNow } from '../../ui/state/use-now.js';
import { showControls } from '../../text/show-controls.js';
import { timelineOf, type TimelineRow } from './timeline.js';

interface TimelineProps {
  entry: CallRecord;
  showLogs: () => void;
  showOutbound: (number: number) => void;
}

const kinds: Record<TimelineRow['kind'], string> = {
  script: 'call',
  log: 'log',
  outbound: 'fetch',
  waitUntil: 'waitUntil',
  task: 'task',
  delivery: 'webhook',
  response: 'response',
};

export function TimelineView({ entry, showLogs, showOutbound }: TimelineProps): JSX.Element {
  const { rows, end, hiddenLogs } = timelineOf(entry, useNow(entry.outcome === 'running' ? 250 : undefined));
  const percent = (ms: number): string => `${(ms / end) * 100}%`;
  return (
    <div class="timeline-box">
      <div class="timeline-axis" aria-hidden="true">
        {[0, 0.5, 1].map((part) => (
          <span key={part}>{part === 0 ? '0' : formatDuration(end * part)}</span>
        ))}
      </div>
      <ol class="column timeline">
        {rows.map((row, index) => (
          <li key={index} class={`timeline-row of-${row.kind}${row.failed ? ' is-failed' : ''}`}>
            <span class="quiet">{kinds[row.kind]}</span>
            <span class="timeline-label">
              {row.outbound === undefined ? (
                <span class="cut" title={row.label}>
                  {showControls(row.label)}
                </span>
              ) : (
                <button
                  type="button"
                  class="text-button cut"
                  title={row.label}
                  onClick={() => showOutbound(row.outbound ?? 0)}
                >
                  {showControls(row.label)}
                </button>
              )}
              {row.note !== undefined && (
                <span class="timeline-note cut" title={row.note}>
                  {showControls(row.note)}
                </span>
              )}
            </span>
            <span class="timeline-lane" aria-hidden="true">
              <span
                class={row.length === undefined ? 'timeline-mark' : `timeline-bar${row.open ? ' open' : ''}`}
                style={{
                  // A mark at the end stays inside the lane.
                  insetInlineStart:
                    row.length === undefined
                      ? `calc(${percent(row.start)} - ${8 * (row.start / end)}px)`
                      : percent(row.start),
                  ...(row.length !== undefined && { width: `max(3px, ${percent(row.length)})` }),
                }}
              />
            </span>
            <span class="timeline-time number">{timeOf(row)}</span>
          </li>
        ))}
      </ol>
      {hiddenLogs > 0 && (
        <button type="button" class="text-button start" onClick={showLogs}>
          {hiddenLogs.toLocaleString('en')} more log lines
        </button>
      )}
    </div>
  );
}

function timeOf({ start, length, open }: TimelineRow): string {
  const began = start > 0 ? `+${formatDuration(start)}` : '0 ms';
  if (length === undefined) return began;
  const took = open ? 'running' : formatDuration(length);
  return start > 0 ? `${began}, ${took}` : took;
}
