import { errorMessage } from '../../base/text/error-message.js';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConfigurationProperty } from '../../protocol/integration.js';
import { api } from '../api/fetch-api.js';
import { placeKey, type Placed } from '../live/where-installed.js';
import { Button } from '../ui/button.js';
import { Combobox } from '../ui/form/combobox.js';
import type { FieldIds } from '../ui/form/control-ids.js';
import { useDraft } from '../ui/form/kept-drafts.js';
import { Field } from '../ui/form/field.js';
import { Icon } from '../ui/icon.js';
import { safeImage } from '../text/safe-url.js';

interface PropertyFieldProps {
  name: string;
  property: ConfigurationProperty;
  required: boolean;
  configured: Placed;
}

type Saving =
  | { state: 'idle' }
  | { state: 'saving' }
  | { state: 'saved' }
  | { state: 'failed'; message: string };

export function PropertyField({ name, property, required, configured }: PropertyFieldProps): JSX.Element {
  const [saving, setSaving] = useState<Saving>({ state: 'idle' });
  const value = configured.configuration[name];
  const problem = configured.problems.find((one) => one.property === name);
  const isSet = value !== undefined && value !== null && value !== '';

  const store = (next: unknown): void => {
    setSaving({ state: 'saving' });
    const edit = next === undefined || next === '' ? { unset: [name] } : { set: { [name]: next } };
    api('PATCH /configuration', { ...configured.place, ...edit }).then(
      () => setSaving({ state: 'saved' }),
      (error: unknown) => setSaving({ state: 'failed', message: errorMessage(error) }),
    );
  };

  return (
    <div class="property">
      <Field
        label={property.title ?? name}
        required={required}
        inline={property.type === 'boolean'}
        hint={property.description}
        error={saving.state === 'failed' ? saving.message : isSet ? problem?.message : undefined}
      >
        {(ids) => <Control {...{ name, property, configured, value, ids, store }} />}
      </Field>
      <span class="property-state quiet small" role="status">
        {saving.state === 'saving' && 'Saving…'}
        {saving.state === 'saved' && (
          <>
            <Icon name="check" size={12} /> Saved
          </>
        )}
      </span>
    </div>
  );
}

interface ControlProps {
  name: string;
  property: ConfigurationProperty;
  configured: Placed;
  value: unknown;
  ids: FieldIds;
  store: (value: unknown) => void;
}

function Control({ name, property, configured, value, ids, store }: ControlProps): JSX.Element {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const draft = `setting ${placeKey(configured.place)} ${name}`;
  switch (property.type) {
    case 'boolean':
      return (
        <button
          type="button"
          role="switch"
          class="switch"
          {...ids}
          aria-checked={value === true}
          onClick={() => store(value !== true)}
        >
          <span class="switch-knob" aria-hidden="true" />
        </button>
      );
    case 'number':
      return (
        <TypedControl
          ids={ids}
          type="number"
          draft={draft}
          stored={text}
          store={(typed) => store(typed === '' ? undefined : Number(typed))}
        />
      );
    case 'button':
      return <ConnectButton {...{ name, configured, value, ids, store }} property={property} />;
    case 'string': {
      const { enum: items, completion_url: completion } = property;
      if (items) {
        return (
          <select
            {...ids}
            class="control"
            value={text}
            onChange={(event) => store(event.currentTarget.value)}
          >
            <option value="">Choose…</option>
            {items.map((item) => (
              <option key={item} value={item}>
                {item}
              </option>
            ))}
          </select>
        );
      }
      if (completion !== undefined) {
        return (
          <Combobox
            ids={ids}
            selected={text === '' ? [] : [text]}
            onSelect={([chosen]) => store(chosen)}
            drawIcon={(icon) => {
              const source = safeImage(icon, `${configured.endpoint}/`);
              return source && <img class="m-icon" src={source} alt="" width={16} height={16} />;
            }}
            find={(typed) =>
              api('GET /options', { ...configured.place, property: name, q: typed || undefined })
            }
          />
        );
      }
      return <TypedControl ids={ids} type="text" draft={draft} stored={text} store={store} />;
    }
  }
}

interface TypedControlProps {
  ids: FieldIds;
  type: 'text' | 'number';
  /** The name of what is being typed. */
  draft: string;
  stored: string;
  store: (typed: string) => void;
}

/** What is being typed stays, whatever else changes on the page; it is stored when the field is left. */
function TypedControl({ ids, type, draft, stored, store }: TypedControlProps): JSX.Element {
  const [typed, setTyped] = useDraft<string | undefined>(draft, undefined);
  const sent = useRef<string>(undefined);
  useEffect(() => setTyped((latest) => (latest === sent.current ? undefined : latest)), [stored]);
  const save = (text: string): void => {
    sent.current = text;
    store(text);
  };
  return (
    <input
      {...ids}
      // Preact's types tell inputs apart by a literal type.
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
      type={type as 'text'}
      class="control"
      autocomplete="off"
      value={typed ?? stored}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => save(event.currentTarget.value)}
      // What was typed in the page before this one is no change.
      onBlur={() => typed !== undefined && typed !== sent.current && save(typed)}
    />
  );
}

interface ConnectButtonProps {
  name: string;
  property: Extract<ConfigurationProperty, { type: 'button' }>;
  configured: Placed;
  value: unknown;
  ids: FieldIds;
  store: (value: unknown) => void;
}

/** Starts what the integration does at `callback_url`, most often OAuth, in a window of its own. */
function ConnectButton({ property, configured, value, ids, store }: ConnectButtonProps): JSX.Element {
  const isSet = value !== undefined && value !== null;
  const open = (): void => {
    const address = configured.endpoint + property.callback_url.replace(/^[/]?/, '/');
    // Without an opener, what the window shows cannot reach this page, and does not inherit its key.
    window.open(address, '_blank', 'noopener,popup,width=520,height=680');
  };
  return (
    <div class="row">
      <span {...ids} role="group" aria-label={property.title ?? property.button_text}>
        <Button kind={isSet ? 'secondary' : 'primary'} icon="link" onPress={open}>
          {property.button_text}
        </Button>
      </span>
      {isSet && (
        <>
          <span class="connected">
            <Icon name="check" size={14} /> Connected
          </span>
          <Button kind="quiet" size="small" onPress={() => store(undefined)}>
            Disconnect
          </Button>
        </>
      )}
    </div>
  );
}
