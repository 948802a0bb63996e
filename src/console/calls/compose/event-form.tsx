import type { JSX } from 'preact';
import type { FieldProblem } from '../../../protocol/compose/request-problems.js';
import type { EventTypeResource } from '../../../contract/routes/events.js';
import type { PlatformResource } from '../../../contract/routes/overview.js';
import { installedIn } from '../../live/where-installed.js';
import { prettyJson } from '../../text/format.js';
import { parseObject } from '../../markup/basics/parse-object.js';
import { Field } from '../../ui/form/field.js';
import { JsonEditor } from '../../ui/form/json-editor.js';
import { TargetSelect } from '../../live/target-select.js';
import { Segments } from '../../ui/segments.js';
import type { ComposedEvent } from './composed-call.js';
import { eventSchema } from './event-schemas.js';
import { payloadOf } from './ready-event.js';
import { SchemaForm } from './schema-form.js';
import { ownFields } from '../../../protocol/compose/call-draft.js';

interface EventFormProps {
  platform: PlatformResource;
  types: readonly EventTypeResource[];
  event: ComposedEvent;
  problems: readonly FieldProblem[];
  onChange: (event: ComposedEvent) => void;
}

export function EventForm({
  platform,
  types,
  event,
  problems,
  onChange,
}: EventFormProps): JSX.Element | null {
  const type = types.find((one) => one.type === event.type) ?? types[0];
  if (!type) return null;
  const schema = eventSchema(type.type);
  const targets = targetsFor(type, platform);
  const payload = payloadOf(event, type);
  const { target = targets[0]?.target, raw } = event;
  const parsed = raw === undefined ? payload : parseObject(raw);
  const set = (change: Partial<ComposedEvent>): void =>
    onChange({ ...event, type: type.type, target, payload, ...change });
  return (
    <div class="stack">
      <Field label="Type" hint={schema.description}>
        {(ids) => (
          <select
            {...ids}
            class="control"
            value={type.type}
            onChange={(change) => onChange({ type: change.currentTarget.value })}
          >
            {groupsOf(types).map(([label, group]) => (
              <optgroup key={label} label={label}>
                {group.map((one) => (
                  <option key={one.type} value={one.type}>
                    {one.type}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
      <TargetSelect
        targets={targets}
        value={target}
        onChange={(next) => set({ target: next })}
        label="Target"
      />
      <div class="row">
        <Segments
          label="How to edit the event"
          value={raw === undefined ? 'form' : 'json'}
          options={[
            { value: 'form', name: 'Form', disabled: !parsed },
            { value: 'json', name: 'JSON' },
          ]}
          onChange={(mode) => {
            if (mode === 'json') return set({ raw: raw ?? prettyJson(payload) });
            const { raw: _, ...rest } = event;
            return onChange({ ...rest, type: type.type, target, payload: parsed ?? payload });
          }}
        />
      </div>
      {raw === undefined ? (
        <SchemaForm
          key={type.type}
          schema={schema}
          value={payload}
          problems={problems}
          onChange={(next) => set({ payload: next })}
          without={ownFields}
        />
      ) : (
        <JsonEditor
          label="The event as JSON"
          rows={14}
          value={raw}
          error={linesOf(problems) ?? (parsed ? undefined : 'The event must be a JSON object.')}
          onChange={(next) => set({ raw: next })}
        />
      )}
    </div>
  );
}

/**
 * Groups the event types, starting with those that have a handler. The handlers are known only if the script uses
 * `createIntegration()`.
 */
function groupsOf(types: readonly EventTypeResource[]): [string, EventTypeResource[]][] {
  const all: [string, EventTypeResource[]][] = [
    ['With a handler', types.filter(({ handled }) => handled === true)],
    ['Without a handler', types.filter(({ handled }) => handled === false)],
    ['All events', types.filter(({ handled }) => handled === undefined)],
  ];
  return all.filter(([, group]) => group.length > 0);
}

const linesOf = (problems: readonly FieldProblem[]): string | undefined =>
  problems.length === 0 ? undefined : problems.map(({ path, message }) => `${path} ${message}`).join(', ');

function targetsFor({ type }: EventTypeResource, platform: PlatformResource): ReturnType<typeof installedIn> {
  const { properties, required = [] } = eventSchema(type);
  return installedIn(platform).filter(({ kind }) => {
    if (properties?.siteId && required.includes('siteId')) return kind === 'site';
    return required.includes('spaceId') ? kind === 'space' : true;
  });
}
