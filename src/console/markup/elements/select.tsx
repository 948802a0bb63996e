import type { JSX } from 'preact';
import { resolveState } from '../../../protocol/markup/resolve-state.js';
import { Combobox } from '../../ui/form/combobox.js';
import { ElementIcon } from '../basics/element-icon.js';
import { useBound, useLabel, useMarkup, type Option } from '../basics/markup-context.js';
import { isRecord, readAction, readAddress, readList, readText } from '../basics/read-markup.js';
import type { ElementProps } from './layout.js';

export function SelectElement({ element }: ElementProps): JSX.Element {
  const { send, state, options: ask } = useMarkup();
  const [value, set] = useBound(element);
  const placeholder = readText(element.placeholder);
  const ids = useLabel(placeholder, readText(element.state));
  const action = readAction(element.onValueChange);
  const multiple = element.multiple === true;
  const source = isRecord(element.options) ? element.options : {};
  const remote = readAddress(resolveState(source.url, state), location.protocol);
  // If only the product can list the options, the user types an id.
  const free = element.acceptInput === true || typeof source.source === 'string';
  const options = remote === undefined ? readOptions(element.options) : [];
  const selected = readList(value).flatMap((one) => readText(one) ?? []);
  const disabled = element.disabled === true;

  const select = (chosen: string[]): void => {
    set(multiple ? chosen : (chosen[0] ?? null));
    if (action) void send(action);
  };

  const plain = options.every(({ icon }) => icon === undefined);
  if (remote === undefined && plain && !multiple && !free) {
    return (
      <select
        {...ids}
        class="control"
        disabled={disabled}
        value={selected[0] ?? ''}
        onChange={(event) => select(event.currentTarget.value === '' ? [] : [event.currentTarget.value])}
      >
        <option value="">{placeholder ?? 'Choose…'}</option>
        {options.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <Combobox
      ids={ids}
      drawIcon={(icon) => <ElementIcon icon={icon} />}
      selected={selected}
      onSelect={select}
      multiple={multiple}
      free={free}
      disabled={disabled}
      {...(placeholder !== undefined && { placeholder })}
      find={(typed) => (remote === undefined ? matching(options, typed) : ask(remote, typed))}
    />
  );
}

const readOptions = (value: unknown): Option[] =>
  readList(value)
    .filter(isRecord)
    .flatMap((option) => {
      const id = readText(option.id);
      const icon = readText(option.icon);
      return id === undefined
        ? []
        : [{ id, label: readText(option.label) ?? id, ...(icon !== undefined && { icon }) }];
    });

const matching = (options: Option[], typed: string): Option[] =>
  options.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
