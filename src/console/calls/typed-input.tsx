import type { JSX, Ref } from 'preact';
import type { FieldIds } from '../ui/form/control-ids.js';
import { useEffect, useRef, useState } from 'preact/hooks';

interface TypedInputProps {
  name: string;
  value: string | undefined;
  placeholder: string;
  onType: (text: string) => void;
  ids?: FieldIds;
  class?: string;
  inputRef?: Ref<HTMLInputElement>;
}

/** Waits until the user stops typing, because each search takes the platform some time. */
const typingMs = 200;

/**
 * A field that reports its text when the user stops typing. Escape blurs the field, so that the list's shortcuts work again.
 */
export function TypedInput(props: TypedInputProps): JSX.Element {
  const { value = '', onType, ids, inputRef, ...rest } = props;
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const typed = useRef(value);
  const report = useRef(onType);
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
  return (
    <input
      {...rest}
      type="search"
      {...ids}
      {...(inputRef && { ref: inputRef })}
      value={text}
      onInput={(event) => {
        typed.current = event.currentTarget.value;
        setText(typed.current);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // By default, the browser would clear the field.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
