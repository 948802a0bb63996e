import type { JSX } from 'preact';
import type { InstalledTarget } from '../../../contract/resources.js';
import { api } from '../../api/fetch-api.js';
import { placedIn } from '../../live/where-installed.js';
import type { EventTypeResource } from '../../../contract/routes/events.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import { useResource } from '../../api/use-resource.js';
import type { Values } from '../../markup/read-markup.js';
import { useAct } from '../../ui/state/run-and-report.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { useDraft } from '../../ui/form/kept-drafts.js';
import { Field } from '../../ui/form/field.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { PlaceSelect } from '../../ui/form/target-select.js';
import { Segments } from '../../ui/segments.js';
import { prettyJson } from '../../text/format.js';
import { parseObject } from '../../text/parse-object.js';
import { eventSchema } from './event-schemas.js';
import { SchemaForm } from './schema-form.js';

interface ComposerProps {
  platform: PlatformResource;
  onClose: () => void;
  onSent: (call: string) => void;
}

/** Builds any event from its schema, and lets it happen. */
export function Composer({ platform, onClose, onSent }: ComposerProps): JSX.Element {
  const types = useResource(
    'event-types',
    () => api('GET /events'),
    ({ type }) => type === 'installation',
  );
  const [name, setName] = useDraft<string | undefined>('event type', undefined);
  const known = types.data ?? [];
  const type = known.find((one) => one.type === name) ?? known[0];
  return (
    <Dialog
      title="Send an event"
      subtitle="To the script, as the platform would"
      size="xlarge"
      onClose={onClose}
    >
      {types.error !== undefined && <p class="field-error">{types.error}</p>}
      {!types.data && types.error === undefined && <LoadingState />}
      {type && (
        <div class="stack">
          <Field label="Type" hint={eventSchema(type.type).description}>
            {(ids) => (
              <select
                {...ids}
                class="control"
                value={type.type}
                onChange={(event) => setName(event.currentTarget.value)}
              >
                {known.map((one) => (
                  <option key={one.type} value={one.type}>
                    {one.type}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <EventForm key={type.type} type={type} platform={platform} onClose={onClose} onSent={onSent} />
        </div>
      )}
    </Dialog>
  );
}

/** What the platform fills in by itself. */
const ownFields = ['eventId', 'type', 'installationId', 'siteId', 'spaceId'];

function EventForm(props: ComposerProps & { type: EventTypeResource }): JSX.Element {
  const { type, platform, onClose, onSent } = props;
  const schema = eventSchema(type.type);
  const places = placedIn(platform).filter(({ kind }) => {
    if (schema.properties?.siteId && schema.required?.includes('siteId')) return kind === 'site';
    return schema.required?.includes('spaceId') ? kind === 'space' : true;
  });
  const [place, setPlace] = useDraft<InstalledTarget | undefined>('event place', places[0]?.place);
  const [payload, setPayload] = useDraft<Values>('event', withoutOwn({ ...type.sample }));
  const [raw, setRaw] = useDraft<string | undefined>('event as JSON', undefined);
  const { busy, act } = useAct();
  const parsed = raw === undefined ? payload : parseObject(raw);

  const send = (): void =>
    act(async () => {
      const { site, space, installation } = place ?? {};
      const { fired } = await api('POST /events', {
        type: type.type,
        event: {
          ...parsed,
          ...(site !== undefined && { siteId: site }),
          ...(space !== undefined && { spaceId: space }),
        },
        installation,
      });
      if (fired.call === undefined) throw new Error(`The event was not sent: ${fired.outcome}.`);
      onSent(fired.call);
    });

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <PlaceSelect places={places} value={place} onChange={setPlace} label="Where it happens" />
      <div class="row">
        <Segments
          label="How to write the event"
          value={raw === undefined ? 'form' : 'json'}
          options={[
            { value: 'form', name: 'Form', disabled: !parsed },
            { value: 'json', name: 'JSON' },
          ]}
          onChange={(mode) => {
            if (mode === 'json') return setRaw(raw ?? prettyJson(payload));
            setPayload(parsed ?? payload);
            return setRaw(undefined);
          }}
        />
        {!parsed && <span class="field-error">This is not a JSON object yet.</span>}
      </div>
      {raw === undefined ? (
        <SchemaForm schema={schema} value={payload} onChange={setPayload} without={ownFields} />
      ) : (
        <textarea
          class="control mono"
          aria-label="The event as JSON"
          rows={14}
          spellcheck={false}
          value={raw}
          onInput={(event) => setRaw(event.currentTarget.value)}
        />
      )}
      <div class="row end">
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" icon="send" submit busy={busy} disabled={!parsed || !place}>
          Send
        </Button>
      </div>
    </form>
  );
}

const withoutOwn = (sample: Values): Values =>
  Object.fromEntries(Object.entries(sample).filter(([key]) => !ownFields.includes(key)));
