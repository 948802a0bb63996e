import { errorMessage } from '../../../base/text/error-message.js';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { Icon } from '../icon.js';

export interface Choice {
  id: string;
  label: string;
  icon?: string;
}

interface ComboboxProps {
  selected: readonly string[];
  onSelect: (ids: string[]) => void;
  find: (typed: string) => Promise<Choice[]> | Choice[];
  multiple?: boolean;
  /** Whether the typed text is itself a valid choice. */
  free?: boolean;
  drawIcon?: (icon: string) => ComponentChildren;
  placeholder?: string;
  disabled?: boolean;
  ids?: { id?: string; 'aria-label'?: string; 'aria-describedby'?: string | undefined };
}

type Found =
  | { state: 'waiting' }
  | { state: 'found'; typed: string; choices: Choice[] }
  | { state: 'failed'; message: string };

export function Combobox(props: ComboboxProps): JSX.Element {
  const { selected, onSelect, multiple = false, free = false, disabled = false } = props;
  /** The text in the field. Undefined while the list is closed. */
  const [typed, setTyped] = useState<string>();
  const { found, active, setActive, labels, setLabels } = useChoices(typed, props);
  const listId = useId();
  const open = typed !== undefined;
  const choices = offeredChoices(found, typed, free);

  const choose = ({ id, label }: Choice): void => {
    setLabels((before) => ({ ...before, [id]: id === typed ? id : label }));
    if (multiple) onSelect(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id]);
    else onSelect([id]);
    setTyped(multiple ? '' : undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const choice = choices[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) setTyped('');
      else if (choices.length)
        setActive((active + (event.key === 'ArrowDown' ? 1 : choices.length - 1)) % choices.length);
    } else if (event.key === 'Enter' && open && choice) {
      event.preventDefault();
      const outdated = found.state === 'found' && found.typed !== typed;
      if (!outdated) choose(choice);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      setTyped(undefined);
    } else if (event.key === 'Backspace' && !typed && selected.length && (multiple || !open)) {
      onSelect(selected.slice(0, -1));
    }
  };

  return (
    <div
      class="combobox"
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget))
          setTyped(undefined);
      }}
    >
      <div class={disabled ? 'row control combobox-field disabled' : 'row control combobox-field'}>
        {multiple && <Tokens {...{ selected, labels, disabled, onSelect }} />}
        <input
          {...props.ids}
          role="combobox"
          type="text"
          autocomplete="off"
          aria-autocomplete="list"
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open && choices[active] ? `${listId}-${active}` : undefined}
          placeholder={props.placeholder ?? (free ? 'Type or choose' : 'Choose…')}
          disabled={disabled}
          value={typed ?? (multiple ? '' : selected.map((id) => labels[id] ?? id).join(''))}
          onClick={() => setTyped(typed ?? '')}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Icon name="down" />
      </div>
      {open && (
        <Options
          {...{ listId, choices, active, selected, multiple }}
          drawIcon={props.drawIcon}
          onChoose={choose}
        />
      )}
      {open && choices.length === 0 && <NoOptions found={found} />}
    </div>
  );
}

function useChoices(typed: string | undefined, { selected, find }: ComboboxProps) {
  const [found, setFound] = useState<Found>({ state: 'waiting' });
  const [active, setActive] = useState(0);
  const [labels, setLabels] = useState<Record<string, string>>({});
  const open = typed !== undefined;
  useEffect(() => {
    if (!open && selected.every((id) => Object.hasOwn(labels, id))) return undefined;
    let gone = false;
    const timer = setTimeout(() => void ask(), typed ? 150 : 0);
    const text = typed ?? '';
    const ask = async (): Promise<void> => {
      try {
        const choices = await find(text);
        if (gone) return;
        setLabels((known) => ({
          ...known,
          ...Object.fromEntries(choices.map(({ id, label }) => [id, label])),
        }));
        setFound({ state: 'found', typed: text, choices });
        setActive(0);
      } catch (error) {
        if (!gone) setFound({ state: 'failed', message: errorMessage(error) });
      }
    };
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [typed, open]);
  return { found, active, setActive, labels, setLabels };
}

/**
 * Returns the loaded options, which may still be those for the previous text. If any text is accepted, includes the typed
 * text.
 */
function offeredChoices(found: Found, typed: string | undefined, free: boolean): Choice[] {
  const known = found.state === 'found' ? found.choices : [];
  return free && typed && !known.some(({ id }) => id === typed)
    ? [...known, { id: typed, label: `Use “${typed}”` }]
    : known;
}

interface TokensProps {
  selected: readonly string[];
  labels: Record<string, string>;
  disabled: boolean;
  onSelect: (ids: string[]) => void;
}

function Tokens({ selected, labels, disabled, onSelect }: TokensProps): JSX.Element {
  return (
    <>
      {selected.map((id) => (
        <span key={id} class="token-chip">
          {labels[id] ?? id}
          <button
            type="button"
            aria-label={`Remove ${labels[id] ?? id}`}
            disabled={disabled}
            onClick={() => onSelect(selected.filter((one) => one !== id))}
          >
            <Icon name="cross" size={12} />
          </button>
        </span>
      ))}
    </>
  );
}

interface OptionsProps {
  listId: string;
  choices: readonly Choice[];
  active: number;
  selected: readonly string[];
  multiple: boolean;
  drawIcon: ComboboxProps['drawIcon'];
  onChoose: (choice: Choice) => void;
}

function Options(props: OptionsProps): JSX.Element {
  const { listId, choices, active, selected, multiple, onChoose } = props;
  return (
    <div
      class="popup combobox-list"
      role="listbox"
      id={listId}
      aria-label="Options"
      aria-multiselectable={multiple || undefined}
      tabIndex={-1}
    >
      {choices.map((choice, index) => (
        <div
          key={choice.id}
          id={`${listId}-${index}`}
          role="option"
          class={index === active ? 'bar pick option active' : 'bar pick option'}
          aria-selected={selected.includes(choice.id)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(choice)}
        >
          {choice.icon !== undefined && props.drawIcon?.(choice.icon)}
          <span class="grow cut">{choice.label}</span>
          {selected.includes(choice.id) && <Icon name="check" size={14} />}
        </div>
      ))}
    </div>
  );
}

function NoOptions({ found }: { found: Found }): JSX.Element {
  const text =
    found.state === 'waiting' ? 'Loading…' : found.state === 'failed' ? found.message : 'Nothing found';
  return (
    <p
      class={found.state === 'failed' ? 'popup combobox-note field-error' : 'popup combobox-note quiet'}
      role="status"
    >
      {text}
    </p>
  );
}
