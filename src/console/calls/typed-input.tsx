import type { JSX, Ref } from 'preact';
import type { FieldIds } from '../ui/form/control-ids.js';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { TypedToken } from '../api/typed-filter.js';
import type { Suggestion } from './suggest-filters.js';

interface TypedInputProps {
  name: string;
  value: string | undefined;
  placeholder: string;
  onType: (text: string) => void;
  ids?: Partial<FieldIds>;
  class?: string;
  inputRef?: Ref<HTMLInputElement>;
  suggest?: (text: string) => Suggestion[];
  /** The parts of the text that are drawn as chips. */
  tokens?: (text: string) => TypedToken[];
  onFocus?: () => void;
}

/** Waits until the user stops typing, because each search takes the platform some time. */
const typingMs = 200;

/**
 * A field that reports its text when the user stops typing. Escape blurs the field, so that the list's shortcuts work again.
 */
export function TypedInput(props: TypedInputProps): JSX.Element {
  const { value = '', onType, ids, inputRef, suggest, tokens, ...rest } = props;
  const [text, setText] = useState(value);
  const [active, setActive] = useState(-1);
  const chips = useRef<HTMLSpanElement>(null);
  /** Whether the text was typed since the field was focused. */
  const [typing, setTyping] = useState(false);
  const reported = useRef(value);
  const typed = useRef(value);
  const report = useRef(onType);
  const listId = useId();
  report.current = onType;
  useEffect(() => {
    // What was typed after the report is reported next.
    if (value !== reported.current && typed.current === reported.current) {
      setText(value);
      typed.current = value;
    }
    reported.current = value;
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return undefined;
    const timer = setTimeout(() => {
      reported.current = text;
      report.current(text);
    }, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  const suggestions = (typing && suggest?.(text)) || [];
  const type = (next: string): void => {
    typed.current = next;
    setText(next);
    setTyping(true);
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = suggestions[active];
    if (event.key === 'Escape') {
      // By default, the browser would clear the field.
      event.preventDefault();
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && suggestions.length > 0) {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : suggestions.length;
      setActive((active + by) % suggestions.length);
    } else if (chosen && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      type(chosen.text);
    }
  };
  return (
    <>
      {/* Drawn behind the text of the field, which stays editable as a whole. */}
      {tokens && (
        <span class="typed-chips" aria-hidden="true" ref={chips}>
          {tokens(text).map(({ text: part, look }, index) => (
            <span key={index} class={look}>
              {part}
            </span>
          ))}
        </span>
      )}
      <input
        {...rest}
        type="search"
        autocomplete="off"
        {...ids}
        {...(inputRef && { ref: inputRef })}
        aria-controls={suggestions.length > 0 ? listId : undefined}
        aria-activedescendant={active < 0 ? undefined : `${listId}-${active}`}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onScroll={({ currentTarget }) => chips.current?.scrollTo(currentTarget.scrollLeft, 0)}
        onBlur={() => setTyping(false)}
        onKeyDown={onKeyDown}
      />
      {suggestions.length > 0 && (
        <div class="popup combobox-list" role="listbox" id={listId} aria-label="Suggestions" tabIndex={-1}>
          {suggestions.map(({ text: whole, label, note }, index) => (
            <div
              key={label}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              class={index === active ? 'bar pick option active' : 'bar pick option'}
              onMouseDown={(event) => {
                event.preventDefault();
                type(whole);
              }}
            >
              <span class="mono">{label}</span>
              <span class="grow cut quiet small">{note}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
