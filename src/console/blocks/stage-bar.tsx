import type { ComponentChildren, JSX } from 'preact';
import { Segments } from '../ui/segments.js';

export interface Stage {
  theme: 'light' | 'dark';
  width: 'phone' | 'page' | 'wide';
  direction: 'ltr' | 'rtl';
  editable: boolean;
}

interface StageBarProps {
  stage: Stage;
  /** The available width in pixels. */
  room: number;
  onChange: (stage: Stage) => void;
  children: ComponentChildren;
}

const themes = [
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
] as const;
const widths = [
  { value: 'phone', name: '360', needs: 360 },
  { value: 'page', name: '680', needs: 680 },
  { value: 'wide', name: 'Full', needs: 0 },
] as const;
const directions = [
  { value: 'ltr', name: 'LTR' },
  { value: 'rtl', name: 'RTL' },
] as const;
const modes = [
  { value: 'edit', name: 'Edit' },
  { value: 'read', name: 'Read' },
] as const;

/** Controls for how the page around the blocks is displayed. */
export function StageBar({ stage, room, onChange, children }: StageBarProps): JSX.Element {
  // A wider page than the window would only be as wide as the window.
  const fitting = widths.filter(({ needs }) => needs < room);
  return (
    <div class="stage-bar" role="toolbar" aria-label="The page">
      <div class="stage-target">{children}</div>
      <Segments
        label="Theme"
        value={stage.theme}
        options={themes}
        onChange={(theme) => onChange({ ...stage, theme })}
      />
      {fitting.length > 1 && (
        <Segments
          label="Width"
          value={fitting.find(({ value }) => value === stage.width)?.value ?? 'wide'}
          options={fitting}
          onChange={(width) => onChange({ ...stage, width })}
        />
      )}
      <Segments
        label="Direction"
        value={stage.direction}
        options={directions}
        onChange={(direction) => onChange({ ...stage, direction })}
      />
      <Segments
        label="Mode"
        value={stage.editable ? 'edit' : 'read'}
        options={modes}
        onChange={(mode) => onChange({ ...stage, editable: mode === 'edit' })}
      />
    </div>
  );
}
