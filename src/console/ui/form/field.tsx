import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { FieldIds } from './control-ids.js';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  required?: boolean;
  hideLabel?: boolean;
  /** Whether the label is next to the control, as for a checkbox or switch. */
  inline?: boolean;
  children: (ids: FieldIds) => ComponentChildren;
}

export function Field({
  label,
  hint,
  error,
  required,
  hideLabel,
  inline,
  children,
}: FieldProps): JSX.Element {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={inline ? 'column field inline' : 'column field'}>
      <label for={id} class={hideLabel ? 'only-read-aloud' : 'field-label'}>
        {label}
        {required && (
          <span class="required" title="Required">
            <span aria-hidden="true"> *</span>
            <span class="only-read-aloud"> (required)</span>
          </span>
        )}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <div class="quiet small field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
