import { useEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type { ConfigurationProperty } from '../../protocol/integration.js';
import { api, isUnreachable } from '../api/fetch-api.js';
import { connection } from '../api/session-state.js';
import { targetKey, type Installed } from '../live/where-installed.js';
import { useDraft } from '../live/kept-drafts.js';
import { useCell } from '../ui/state/observable-cell.js';

type Saving = { state: 'idle' | 'saving' | 'saved' } | { state: 'failed'; message: string; away: boolean };

export interface PropertyEdit {
  /** The value to show: the edited value until it has been stored, and then the stored value. */
  value: unknown;
  saving: Saving;
  /**
   * Why the edit has not been stored: the platform is not responding, the session has ended, or the edit was made on an
   * earlier page.
   */
  unsaved: 'away' | 'ended' | 'restored' | undefined;
  type(text: string): void;
  store(next: unknown): void;
  /** Stores the typed text when the field loses focus. */
  leave(): void;
}

/** An edit of a property, which is kept until it has been stored, even if the platform is not responding. */
export function usePropertyEdit(
  name: string,
  property: ConfigurationProperty,
  configured: Installed,
): PropertyEdit {
  const stored = configured.configuration[name];
  const [edit, setEdit] = useDraft<{ value: unknown } | undefined>(
    `edit of ${targetKey(configured.target)} ${name}`,
    undefined,
  );
  const [saving, setSaving] = useState<Saving>({ state: 'idle' });
  const [restored, setRestored] = useState(edit !== undefined);
  const sent = useRef<{ value: unknown }>(undefined);
  const state = useCell(connection);

  const store = (next: unknown = ''): void => {
    sent.current = { value: next };
    setEdit({ value: next });
    setRestored(false);
    setSaving({ state: 'saving' });
    const value = property.type === 'number' ? Number(next) : next;
    const change = next === '' ? { unset: [name] } : { set: { [name]: value } };
    api('PATCH /configuration', { ...configured.target, ...change }).then(
      () => setSaving({ state: 'saved' }),
      (error: unknown) =>
        setSaving({ state: 'failed', message: errorMessage(error), away: isUnreachable(error) }),
    );
  };

  // Once the edit has been stored, shows the stored value, unless the user has typed something in the meantime.
  useEffect(
    () => setEdit((latest) => (latest && latest.value === sent.current?.value ? undefined : latest)),
    [JSON.stringify(stored)],
  );
  // Sends the request again if it was interrupted.
  useEffect(() => {
    if (state === 'live' && saving.state === 'failed' && saving.away) store(sent.current?.value);
  }, [state]);

  const pending = edit !== undefined && asText(edit.value) !== asText(stored);
  return {
    value: edit ? edit.value : stored,
    saving,
    unsaved: !pending
      ? undefined
      : state === 'ended'
        ? 'ended'
        : state === 'lost'
          ? 'away'
          : restored
            ? 'restored'
            : undefined,
    type: (text) => setEdit({ value: text }),
    store,
    leave: () => edit && edit.value !== sent.current?.value && store(edit.value),
  };
}

/** Formats a value as text for a control. */
const asText = (value: unknown = ''): string => (typeof value === 'string' ? value : JSON.stringify(value));
