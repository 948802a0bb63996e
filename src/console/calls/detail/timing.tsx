import type { JSX } from 'preact';
import type { TrafficEntry } from '../../api/call-types.js';
import { formatDuration } from '../../text/format.js';
import { belowEndpoint } from '../describe-call.js';

interface Bar {
  label: string;
  start: number;
  length: number;
  kind: 'whole' | 'call' | 'failed';
}

/** The call and what it waited for, on one time line. */
export function Timing({ entry }: { entry: TrafficEntry }): JSX.Element {
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
