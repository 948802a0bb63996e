import type { JSX } from 'preact';
import { Field } from '../../ui/form/field.js';
import { Switch } from '../../ui/form/switch.js';
import { useBound, LabelledProvider, useLabel, useMarkup } from '../basics/markup-context.js';
import { useConfirmed } from '../basics/confirm-action.js';
import { isRecord, readAction, readOneOf, readText, type Values } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function InputElement({ element }: ElementProps): JSX.Element {
  const { draw } = useMarkup();
  const hint = element.hint === undefined ? undefined : draw(element.hint);
  return (
    <Field label={readText(element.label) ?? 'Value'} hint={hint} inline={isTick(element.element)}>
      {(ids) => (
        <LabelledProvider value={ids}>
          <div class="column m-input">{draw(element.element ?? element.children)}</div>
        </LabelledProvider>
      )}
    </Field>
  );
}

const isTick = (value: unknown): boolean =>
  isRecord(value) && ['switch', 'checkbox', 'radio'].includes(readText(value.type) ?? '');

export function TextInputElement({ element }: ElementProps): JSX.Element {
  const [value, set] = useBound(element);
  const label = readText(element.label);
  const placeholder = readText(element.placeholder);
  const ids = useLabel(label, placeholder, readText(element.state));
  const shared = {
    ...ids,
    class: 'control',
    value: readText(value) ?? '',
    placeholder: placeholder ?? '',
    disabled: element.disabled === true,
    onInput: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  };
  // Preact's types require a literal input type.
  const type = (readOneOf(element.inputType, ['text', 'password', 'email']) ?? 'text') as 'text';
  const control =
    element.multiline === true ? (
      <textarea {...shared} rows={4} />
    ) : (
      <input {...shared} type={type} autocomplete="off" />
    );
  return label === undefined || ids.id !== undefined ? (
    control
  ) : (
    <label class="column gap-s">
      <span class="field-label">{label}</span>
      {control}
    </label>
  );
}

/** Checkboxes and switches set a boolean. Radio buttons set the value of their choice. */
function useChoice(element: Values): {
  checked: boolean;
  choose: (checked: boolean) => void;
  question: JSX.Element | undefined;
} {
  const { send } = useMarkup();
  const [bound, set] = useBound(element);
  const { press, question } = useConfirmed(element.confirm);
  const { value } = element;
  const action = readAction(element.onValueChange);
  const many = Array.isArray(bound);
  const own = value !== undefined && typeof value !== 'boolean';
  const checked = many ? bound.includes(value) : own ? bound === value : bound === true;
  const next = (on: boolean): unknown => {
    if (many) return on ? [...bound, value] : bound.filter((item) => item !== value);
    if (own) return on ? value : null;
    return on;
  };
  return {
    checked,
    question,
    choose: (on) =>
      press(() => {
        set(next(on));
        // Choosing again while the script runs is allowed, because the latest choice counts.
        if (action) void send(action);
        return undefined;
      }),
  };
}

export function SwitchElement({ element }: ElementProps): JSX.Element {
  const { checked, choose, question } = useChoice(element);
  const ids = useLabel(readText(element.label), readText(element.state));
  return (
    <>
      <Switch ids={ids} checked={checked} disabled={element.disabled === true} onChange={choose} />
      {question}
    </>
  );
}

export const CheckboxElement = ({ element }: ElementProps): JSX.Element => (
  <Tick element={element} type="checkbox" />
);
export const RadioElement = ({ element }: ElementProps): JSX.Element => (
  <Tick element={element} type="radio" />
);

function Tick({ element, type }: ElementProps & { type: 'checkbox' | 'radio' }): JSX.Element {
  const { checked, choose, question } = useChoice(element);
  const ids = useLabel(readText(element.label), readText(element.value), readText(element.state));
  return (
    <>
      <input
        {...ids}
        type={type}
        class="tick"
        checked={checked}
        disabled={element.disabled === true}
        onChange={(event) => {
          const wanted = event.currentTarget.checked;
          event.currentTarget.checked = checked;
          choose(wanted);
        }}
      />
      {question}
    </>
  );
}
