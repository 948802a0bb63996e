import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { preference, preferenceKeys, remember } from '../../live/preferences.js';
import { Button } from '../../ui/button.js';
import type { ComposedCall } from './composed-call.js';
import { isTooLargeToKeep } from './kept-call.js';

const prefix = 'saved call ';
const longestName = 100;

interface SavedCallsProps {
  call: ComposedCall;
  onOpen: (call: ComposedCall) => void;
}

/** Requests and events saved under a name. The platform stores them with the project. */
export function SavedCalls({ call, onOpen }: SavedCallsProps): JSX.Element {
  const [names, setNames] = useState(readNames);
  const [chosen, setChosen] = useState('');
  const [naming, setNaming] = useState<string>();
  const save = (name: string): void => {
    remember(prefix + name, call);
    setNames(readNames());
    setChosen(name);
    setNaming(undefined);
  };
  if (naming !== undefined) {
    return (
      <form
        class="bar grow end"
        onSubmit={(event) => {
          event.preventDefault();
          if (naming.trim() !== '') save(naming.trim());
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setNaming(undefined);
        }}
      >
        <input
          class="control compact grow"
          aria-label="Name"
          maxLength={longestName}
          value={naming}
          ref={focusOnce}
          onInput={(event) => setNaming(event.currentTarget.value)}
        />
        <Button size="small" kind="primary" submit>
          Save
        </Button>
        <Button size="small" onPress={() => setNaming(undefined)}>
          Cancel
        </Button>
      </form>
    );
  }
  return (
    <div class="bar grow end">
      {names.length > 0 && (
        <select
          class="control compact grow"
          aria-label="Saved"
          value={chosen}
          onChange={(event) => {
            const name = event.currentTarget.value;
            const saved = preference(prefix + name) as ComposedCall | undefined;
            setChosen(name);
            if (saved) onOpen(saved);
          }}
        >
          <option value="">Open a saved call</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Button
        size="small"
        disabled={isTooLargeToKeep(call)}
        onPress={() => setNaming(chosen || nameOf(call))}
      >
        Save as
      </Button>
      {chosen !== '' && (
        <Button
          size="small"
          icon="trash"
          label={`Delete ${chosen}`}
          onPress={() => {
            remember(prefix + chosen, undefined);
            setNames(readNames());
            setChosen('');
          }}
        />
      )}
    </div>
  );
}

const readNames = (): string[] =>
  preferenceKeys(prefix)
    .map((key) => key.slice(prefix.length))
    .sort((one, other) => one.localeCompare(other));

const nameOf = ({ mode, request, event }: ComposedCall): string =>
  (mode === 'request' ? `${request.method} ${request.path}` : (event.type ?? 'event')).slice(0, longestName);

const focusOnce = (element: HTMLInputElement | null): void => {
  if (element && document.activeElement !== element) element.select();
};
