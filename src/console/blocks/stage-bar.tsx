import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../ui/icon.js';
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
  { value: 'phone', name: '360 px', needs: 360 },
  { value: 'page', name: '680 px', needs: 680 },
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

/** Controls for how the page around the blocks is displayed. On a narrow screen, a button reveals them. */
export function StageBar({ stage, room, onChange, children }: StageBarProps): JSX.Element {
  // Leaves out widths that do not fit in the window.
  const fitting = widths.filter(({ needs }) => needs < room);
  const [open, setOpen] = useState(false);
  return (
    <div class="row stage-bar" role="toolbar" aria-label="The page">
      <div class="stage-target">{children}</div>
      <button
        type="button"
        class="button quiet bare stage-toggle"
        aria-label="Page options"
        title="Page options"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="configuration" />
      </button>
      <div class={open ? 'wrap stage-options open' : 'wrap stage-options'}>
        <StageOption
          label="Theme"
          value={stage.theme}
          options={themes}
          onChange={(theme) => onChange({ ...stage, theme })}
        />
        {fitting.length > 1 && (
          <StageOption
            label="Width"
            value={fitting.find(({ value }) => value === stage.width)?.value ?? 'wide'}
            options={fitting}
            onChange={(width) => onChange({ ...stage, width })}
          />
        )}
        <StageOption
          label="Direction"
          value={stage.direction}
          options={directions}
          onChange={(direction) => onChange({ ...stage, direction })}
        />
        <StageOption
          label="Mode"
          value={stage.editable ? 'edit' : 'read'}
          options={modes}
          onChange={(mode) => onChange({ ...stage, editable: mode === 'edit' })}
        />
      </div>
    </div>
  );
}

function StageOption<Value extends string>(props: Parameters<typeof Segments<Value>>[0]): JSX.Element {
  return (
    <span class="bar gap-s stage-option">
      <span class="quiet small" aria-hidden="true">
        {props.label}
      </span>
      <Segments {...props} />
    </span>
  );
}
