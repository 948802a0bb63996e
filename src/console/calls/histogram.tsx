import type { JSX, TargetedPointerEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { CallLine } from '../../contract/routes/calls.js';
import { formatTime } from '../text/format.js';

const bars = 60;
const fewest = 20;

interface Bar {
  calls: number;
  failed: number;
}

/** How many of the listed calls started when. Dragging over the bars selects a time span. */
export function Histogram(props: {
  lines: readonly Pick<CallLine, 'time' | 'severity'>[];
  onSelect: (span: { since: string; until: string }) => void;
}): JSX.Element | null {
  const { lines, onSelect } = props;
  const [dragged, setDragged] = useState<{ from: number; to: number }>();
  const counted = useMemo(() => countByTime(lines), [lines]);
  if (!counted) return null;
  const { all, timeOf } = counted;
  const most = Math.max(...all.map(({ calls }) => calls));
  const [first, last] = dragged
    ? [Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to)]
    : [0, -1];
  const barAt = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(bars - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars)));
  };
  return (
    <div
      class="histogram"
      role="img"
      aria-label={`${lines.length.toLocaleString('en')} calls from ${formatTime(timeOf(0))} to ${formatTime(timeOf(bars))}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged({ from: barAt(event), to: barAt(event) });
      }}
      onPointerMove={(event) => dragged && setDragged({ ...dragged, to: barAt(event) })}
      onPointerUp={() => {
        setDragged(undefined);
        if (dragged)
          onSelect({
            since: new Date(timeOf(first)).toISOString(),
            until: new Date(timeOf(last + 1)).toISOString(),
          });
      }}
      onPointerCancel={() => setDragged(undefined)}
    >
      {all.map(({ calls, failed }, index) => (
        <span
          key={index}
          class={index >= first && index <= last ? 'column chosen' : 'column'}
          title={`${formatTime(timeOf(index))}: ${calls} calls, ${failed} with a problem`}
        >
          <span style={{ height: `${(100 * (calls - failed)) / most}%` }} />
          <span class="bad" style={{ height: `${(100 * failed) / most}%` }} />
        </span>
      ))}
    </div>
  );
}

function countByTime(lines: readonly Pick<CallLine, 'time' | 'severity'>[]) {
  const start = lines.at(-1)?.time ?? 0;
  const span = (lines[0]?.time ?? 0) - start;
  if (lines.length < fewest || span < bars) return undefined;
  const all = Array.from({ length: bars }, (): Bar => ({ calls: 0, failed: 0 }));
  for (const { time, severity } of lines) {
    const bar = all[Math.min(bars - 1, Math.max(0, Math.floor(((time - start) / span) * bars)))];
    if (!bar) continue;
    bar.calls += 1;
    if (severity === 'error') bar.failed += 1;
  }
  // Rounded outwards, so that the first and last call are within the whole span.
  const timeOf = (bar: number): number =>
    bar === bars ? start + span + 1 : Math.floor(start + (span * bar) / bars);
  return { all, timeOf };
}
