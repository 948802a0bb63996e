import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConfigurationProperty } from '../../protocol/integration.js';
import { api } from '../api/fetch-api.js';
import { ConnectHelp } from '../connections/connections-card.js';
import { connectAddress, openConnection } from '../connections/open-connection.js';
import type { Installed } from '../live/where-installed.js';
import { Button } from '../ui/button.js';
import { Combobox } from '../ui/form/combobox.js';
import type { FieldIds } from '../ui/form/control-ids.js';
import { Field } from '../ui/form/field.js';
import { Icon } from '../ui/icon.js';
import { ConfirmDialog } from '../ui/messages/confirm-dialog.js';
import { usePropertyEdit, type PropertyEdit } from './use-property-edit.js';
import { safeImage } from '../text/safe-url.js';

interface PropertyFieldProps {
  name: string;
  property: ConfigurationProperty;
  required: boolean;
  configured: Installed;
}

export function PropertyField(props: PropertyFieldProps): JSX.Element {
  const { name, property, required, configured } = props;
  const edit = usePropertyEdit(name, property, configured);
  const { saving, unsaved } = edit;
  const stored = configured.configuration[name];
  const problem = configured.problems.find((one) => one.property === name);
  const isSet = stored !== undefined && stored !== null && stored !== '';
  const failed = saving.state === 'failed' && unsaved === undefined ? saving.message : undefined;

  return (
    <div class="relative property">
      <Field
        label={property.title ?? name}
        required={required}
        inline={property.type === 'boolean'}
        hint={property.description}
        error={failed ?? (isSet ? problem?.message : undefined)}
      >
        {(ids) => <Control {...{ name, property, configured, ids, edit }} />}
      </Field>
      {property.type === 'button' && (
        <ConnectHelp target={configured.target} url={connectAddress(configured, property)} />
      )}
      <span class="bar property-state quiet small" role="status">
        {saving.state === 'saving' && unsaved === undefined && 'Saving…'}
        {saving.state === 'saved' && unsaved === undefined && (
          <>
            <Icon name="check" size={12} /> Saved
          </>
        )}
      </span>
      {unsaved && (
        <p class="bar property-unsaved small" role="status">
          <Icon name="warning" size={14} />
          <span class="grow">{unsavedTexts[unsaved]}</span>
          {unsaved === 'restored' && (
            <Button size="small" onPress={() => edit.store(edit.value)}>
              Save
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

const unsavedTexts = {
  away: "Not saved: the platform isn't responding. Your change is kept, and will be saved when the platform is back.",
  ended: 'Not saved: this session has ended. To keep your change, open the new link.',
  restored: 'Not saved yet: this change was made in an earlier session.',
};

interface ControlProps {
  name: string;
  property: ConfigurationProperty;
  configured: Installed;
  ids: FieldIds;
  edit: PropertyEdit;
}

function Control({ name, property, configured, ids, edit }: ControlProps): JSX.Element {
  const { value, store } = edit;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
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
      return <TypedControl ids={ids} type="number" text={text} edit={edit} />;
    case 'button':
      return <ConnectButton {...{ name, configured, ids, store }} property={property} />;
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
              api('GET /options', { ...configured.target, property: name, q: typed || undefined })
            }
          />
        );
      }
      return <TypedControl ids={ids} type="text" text={text} edit={edit} />;
    }
  }
}

interface TypedControlProps {
  ids: FieldIds;
  type: 'text' | 'number';
  text: string;
  edit: PropertyEdit;
}

/** A field that keeps the typed text across pages and stores it when the field loses focus. */
function TypedControl({ ids, type, text, edit }: TypedControlProps): JSX.Element {
  return (
    <input
      {...ids}
      // Preact's types require the input's `type` to be a literal.
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
      type={type as 'text'}
      class="control"
      autocomplete="off"
      value={text}
      onInput={(event) => edit.type(event.currentTarget.value)}
      onChange={(event) => edit.store(event.currentTarget.value)}
      // Stores a draft from an earlier page, which triggers no change event.
      onBlur={edit.leave}
    />
  );
}

interface ConnectButtonProps {
  name: string;
  property: Extract<ConfigurationProperty, { type: 'button' }>;
  configured: Installed;
  ids: FieldIds;
  store: (value: unknown) => void;
}

/** A button that opens `callback_url` in a new window, which usually starts OAuth. */
function ConnectButton({ name, property, configured, ids, store }: ConnectButtonProps): JSX.Element {
  const value = configured.configuration[name];
  const isSet = value !== undefined && value !== null;
  return (
    <div class="row">
      {isSet && (
        <span class="connected">
          <Icon name="check" size={14} /> Connected
        </span>
      )}
      <span {...ids} role="group" aria-label={property.title ?? property.button_text}>
        <Button
          kind={isSet ? 'secondary' : 'primary'}
          size={isSet ? 'small' : 'medium'}
          icon="link"
          onPress={() => openConnection(connectAddress(configured, property))}
        >
          {isSet ? 'Connect again' : property.button_text}
        </Button>
      </span>
      {isSet && (
        <Disconnect title={property.title ?? property.button_text} onConfirm={() => store(undefined)} />
      )}
    </div>
  );
}

function Disconnect({ title, onConfirm }: { title: string; onConfirm: () => void }): JSX.Element {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="small" onPress={() => setAsking(true)}>
        Disconnect
      </Button>
      {asking && (
        <ConfirmDialog
          title={`Disconnect ${title}?`}
          action="Disconnect"
          danger
          onClose={() => setAsking(false)}
          onConfirm={onConfirm}
        >
          <p>This removes the stored credentials. Reconnect to get new credentials.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
