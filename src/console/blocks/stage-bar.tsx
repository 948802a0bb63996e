import type { ComponentChildren, JSX } from 'preact';

export interface Stage {
  theme: 'light' | 'dark';
  width: 'phone' | 'page' | 'wide';
  direction: 'ltr' | 'rtl';
  editable: boolean;
}

interface StageBarProps {
  stage: Stage;
  onChange: (stage: Stage) => void;
  children: ComponentChildren;
}

/** How the page around the blocks looks. */
export function StageBar({ stage, onChange, children }: StageBarProps): JSX.Element {
  return (
    <div class="stage-bar" role="toolbar" aria-label="The page">
      <div class="stage-place">{children}</div>
      <Segments
        label="Theme"
        value={stage.theme}
        options={{ light: 'Light', dark: 'Dark' }}
        onChange={(theme) => onChange({ ...stage, theme })}
      />
      <Segments
        label="Width"
        value={stage.width}
        options={{ phone: '360', page: '680', wide: 'Full' }}
        onChange={(width) => onChange({ ...stage, width })}
      />
      <Segments
        label="Direction"
        value={stage.direction}
        options={{ ltr: 'LTR', rtl: 'RTL' }}
        onChange={(direction) => onChange({ ...stage, direction })}
      />
      <Segments
        label="Mode"
        value={stage.editable ? 'edit' : 'read'}
        options={{ edit: 'Edit', read: 'Read' }}
        onChange={(mode) => onChange({ ...stage, editable: mode === 'edit' })}
      />
    </div>
  );
}

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: Record<Value, string>;
  onChange: (value: Value) => void;
}

function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentsProps<Value>): JSX.Element {
  return (
    <div class="segments" role="group" aria-label={label}>
      {(Object.entries(options) as [Value, string][]).map(([one, name]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {name}
        </button>
      ))}
    </div>
  );
}
