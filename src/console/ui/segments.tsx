import type { JSX } from 'preact';

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; name: string; disabled?: boolean }[];
  onChange: (value: Value) => void;
}

export function Segments<Value extends string>(props: SegmentsProps<Value>): JSX.Element {
  const { label, value, options, onChange } = props;
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.disabled ?? false}
          onClick={() => onChange(option.value)}
        >
          {option.name}
        </button>
      ))}
    </div>
  );
}
