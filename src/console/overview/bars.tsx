import type { JSX } from 'preact';

interface Segment {
  value: number;
  kind: 'calls' | 'failures' | 'p50' | 'p95';
}

interface BarsProps {
  /** Each bar is a stack of segments. */
  bars: readonly { title?: string; segments: readonly Segment[] }[];
  /** The value of a bar of full length. */
  max: number;
  direction: 'up' | 'right';
}

const length = 100;
const pitch = 10;
const thickness = 8;
/** Keeps one failure among thousands of calls visible. */
const shortest = 2;

/** A bar chart. It is hidden from screen readers: the text beside it contains the same values. */
export function Bars({ bars, max, direction }: BarsProps): JSX.Element {
  const across = bars.length * pitch;
  const up = direction === 'up';
  return (
    <svg
      class={`bars ${direction}`}
      viewBox={up ? `0 0 ${across} ${length}` : `0 0 ${length} ${across}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map(({ title, segments }, index) => {
        let end = 0;
        return (
          <g key={index}>
            {title !== undefined && <title>{title}</title>}
            {up && <rect class="bar-space" x={index * pitch} y={0} width={pitch} height={length} />}
            {segments.map(({ value, kind }) => {
              if (value <= 0) return null;
              const size = Math.max(shortest, (value / max) * (length - shortest * segments.length));
              const start = end;
              end += size;
              return up ? (
                <rect
                  key={kind}
                  class={`bar ${kind}`}
                  x={index * pitch + 1}
                  y={length - end}
                  width={thickness}
                  height={size}
                />
              ) : (
                <rect
                  key={kind}
                  class={`bar ${kind}`}
                  x={start}
                  y={index * pitch + 1}
                  width={size}
                  height={thickness}
                />
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}
