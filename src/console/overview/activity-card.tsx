import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { recentCalls } from '../live/recent-calls.js';
import { formatDuration, formatMinute } from '../text/format.js';
import { Card } from '../ui/card.js';
import { useCell } from '../ui/state/observable-cell.js';
import { Bars } from './bars.js';
import { callStatistics, type CallStatistics, type HandlerLatency, type Minute } from './call-statistics.js';

/** Fewer calls are easier to read as text than as a chart. */
const fewestForChart = 20;
const mostCounted = 500;
const tickMs = 15_000;

/** How often the script was called in the last hour, how often it failed, and how long it took. */
export function ActivityCard(): JSX.Element | null {
  const { lines, complete } = useCell(recentCalls.view);
  const now = useNow();
  if (lines.length === 0) return null;
  const counted = lines.slice(0, mostCounted);
  const allKnown = complete && counted.length === lines.length;
  const statistics = callStatistics(counted, Math.max(now, lines[0]?.time ?? 0), allKnown);
  return (
    <Card
      title="Activity"
      actions={
        <span class="quiet small number">since {formatMinute(statistics.minutes[0]?.time ?? now)}</span>
      }
    >
      {statistics.calls < fewestForChart ? <InText {...statistics} /> : <Charts {...statistics} />}
    </Card>
  );
}

function InText({ calls, failures, handlers }: CallStatistics): JSX.Element {
  if (calls === 0) return <p class="quiet">No calls in the last hour.</p>;
  return (
    <div class="stack tight">
      <p>
        {counted(calls, 'call')}, {failures} failed.
      </p>
      {handlers.length > 0 && (
        <ul class="quiet small number">
          {handlers.map(({ handler, calls: own, p50, p95 }) => (
            <li key={handler}>
              <span class="mono">{handler}</span>: {counted(own, 'call')}, half of them within{' '}
              {formatDuration(p50)}, 95% within {formatDuration(p95)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Charts({ calls, failures, minutes, handlers }: CallStatistics): JSX.Element {
  return (
    <div class="activity">
      <CallsPerMinute calls={calls} failures={failures} minutes={minutes} />
      <LatencyTable handlers={handlers} />
    </div>
  );
}

function CallsPerMinute({ calls, failures, minutes }: Omit<CallStatistics, 'handlers'>): JSX.Element {
  const most = Math.max(...minutes.map((minute) => minute.calls));
  return (
    <figure class="activity-calls">
      <figcaption>
        <h3 class="section-title">Calls per minute</h3>
        <p class="legend small number">
          <span class="legend-entry calls">{counted(calls, 'call')}</span>
          <span class="legend-entry failures">{failures} failed</span>
          <span class="quiet">at most {most} a minute</span>
        </p>
      </figcaption>
      <Bars
        direction="up"
        max={most}
        bars={minutes.map((minute) => ({
          title: minuteText(minute),
          segments: [
            { kind: 'failures', value: minute.failures },
            { kind: 'calls', value: minute.calls - minute.failures },
          ],
        }))}
      />
      <p class="axis quiet small number" aria-hidden="true">
        <span>{formatMinute(minutes[0]?.time ?? 0)}</span>
        <span>{formatMinute(minutes.at(-1)?.time ?? 0)}</span>
      </p>
      <ul class="only-read-aloud" aria-label="Calls per minute">
        {minutes
          .filter((minute) => minute.calls > 0)
          .map((minute) => (
            <li key={minute.time}>{minuteText(minute)}</li>
          ))}
      </ul>
    </figure>
  );
}

function LatencyTable({ handlers }: { handlers: readonly HandlerLatency[] }): JSX.Element {
  const slowest = Math.max(...handlers.map(({ p95 }) => p95));
  return (
    <div class="activity-latency">
      <h3 class="section-title">Latency per handler</h3>
      <table class="latency number">
        <thead>
          <tr>
            <th scope="col">Handler</th>
            <th scope="col">Calls</th>
            <th scope="col">
              <span class="legend-entry p50">p50</span>
            </th>
            <th scope="col">
              <span class="legend-entry p95">p95</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {handlers.map(({ handler, calls, p50, p95 }) => (
            <tr key={handler}>
              <th scope="row">
                <span class="mono wrap-anywhere">{handler}</span>
                <Bars
                  direction="right"
                  max={slowest}
                  bars={[
                    {
                      segments: [
                        { kind: 'p50', value: p50 },
                        { kind: 'p95', value: p95 - p50 },
                      ],
                    },
                  ]}
                />
              </th>
              <td>{calls}</td>
              <td>{formatDuration(p50)}</td>
              <td>{formatDuration(p95)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const minuteText = ({ time, calls, failures }: Minute): string =>
  `${formatMinute(time)}: ${counted(calls, 'call')}, ${failures} failed`;

/** The chart moves with time, even without calls. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
