import type { JSX, TargetedPointerEvent } from 'preact';

interface PaneSplitterProps {
  label: string;
  /** The id of the pane after the splitter, which the splitter resizes. */
  controls: string;
  size: number;
  min: number;
  max: number;
  initial: number;
  onResize: (size: number) => void;
}

const step = 16;
const longStep = 64;

/**
 * The separator between two panes. The user can drag it, move it with the arrow keys, Home and End, and reset it with a double
 * click.
 */
export function PaneSplitter(props: PaneSplitterProps): JSX.Element {
  const { label, controls, size, min, max, initial, onResize } = props;
  const resize = (to: number): void => onResize(Math.round(Math.min(max, Math.max(min, to))));

  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.shiftKey ? longStep : step;
    const to = { ArrowLeft: size + by, ArrowRight: size - by, Home: min, End: max }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    resize(to);
  };
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    const { currentTarget: handle, pointerId, clientX: from } = event;
    handle.setPointerCapture(pointerId);
    const dropped = new AbortController();
    const { signal } = dropped;
    handle.addEventListener('pointermove', ({ clientX }) => resize(size + from - clientX), { signal });
    handle.addEventListener('lostpointercapture', () => dropped.abort(), { signal });
  };
  return (
    <div
      class="pane-splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      title="Drag to resize, or use the arrow keys"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onDblClick={() => resize(initial)}
    />
  );
}
