import type { EventType, PlatformEvent, WebhookEvent } from '../../src/protocol/events.js';
import { sampleEvent } from '../../src/protocol/sample-events.js';
import { webhookPayload } from '../../src/webhooks/send/webhook-payload.js';
import { fieldsOf, resolve, typeOf, type Field, type Schema } from './json-schema.js';
import { blocks, code, entry, fence, sentence } from './markdown.js';
import { readSchema } from './schema-keys.js';

/** The events in the platform's specification. The others follow integrations of other platforms. */
const specified = [
  'installation_setup',
  'space_installation_setup',
  'space_view',
  'ui_render',
  'space_content_updated',
  'space_visibility_updated',
  'space_gitsync_started',
  'space_gitsync_completed',
  'site_view',
  'page_feedback',
  'fetch',
];

/** The sample's ids do not change from one run to the next. */
function sampleOf(type: string): PlatformEvent {
  const newId = (kind: string): string => `${kind}_8bd0gmd2ke4pvd7pxh0v`;
  return sampleEvent(type as EventType, { newId });
}

const rowOf = ({ path, schema }: Field, root: Schema): [string, string[], string] => [
  path,
  [typeOf(schema, root)],
  sentence(schema.description ?? schema.title ?? ''),
];

function variantSections(root: Schema): string {
  const events = (root.oneOf ?? []).map((variant) => {
    const schema = resolve(variant, root);
    const fields = fieldsOf(schema, root)
      .filter(({ path }) => path !== 'type')
      .map((field) => ({ path: field.path, optional: !field.required, text: entry(rowOf(field, root)) }));
    return { type: String(schema.properties?.['type']?.const), about: schema.description ?? '', fields };
  });
  const all = events.flatMap(({ fields }) => fields);
  const shared = new Map<string, string>();
  for (const { path, text } of all)
    if (!shared.has(path) && all.filter((field) => field.text === text).length > 2) shared.set(path, text);
  const isShared = ({ path, text }: { path: string; text: string }): boolean => shared.get(path) === text;
  return blocks(
    'Every event has a `type`. These fields occur in several events:',
    [...shared.values()].join('\n'),
    ...events.map(({ type, about, fields }) =>
      blocks(
        `## ${type}`,
        specified.includes(type) ? about : `${about} *Assumed.*`,
        `Fields described above: ${fields
          .filter(isShared)
          .map(({ path, optional }) => `${code(path)}${optional ? ' (optional)' : ''}`)
          .join(', ')}.`,
        fields
          .filter((field) => !isShared(field))
          .map(({ text, optional }) => (optional ? text.replace(/\)(?=: )/, '; optional)') : text))
          .join('\n'),
        fence('json', JSON.stringify(sampleOf(type), undefined, 2)),
      ),
    ),
  );
}

export const eventsPage = (): string =>
  blocks(
    '# Events',
    `The platform sends these events to the script. To send one to the running integration, use ${code('platform trigger <type>')}. [*Assumed*](../fidelity.md) marks events that the platform's specification does not contain. For the others, it defines when they are sent and the fields in [webhook payloads](webhook-payloads.md).`,
    variantSections(readSchema('events')),
  );

/** The fields have the same meaning as in events, so the page lists only their names. */
function payloadSections(root: Schema): string {
  const sections = (root.oneOf ?? []).map((variant) => {
    const schema = resolve(variant, root);
    const type = String(schema.properties?.['type']?.const);
    const sample = webhookPayload(sampleOf(type) as WebhookEvent);
    const fields = fieldsOf(schema, root).map(
      ({ path, required }) => `${code(path)}${required ? '' : ' (optional)'}`,
    );
    return blocks(
      `## ${type}`,
      `[${schema.description?.replace(/\.$/, '')}](events.md#${type}). Fields: ${fields.join(', ')}.`,
      fence('json', JSON.stringify(sample, undefined, 2)),
    );
  });
  return blocks(...sections);
}

export const webhookPayloadsPage = (): string =>
  blocks(
    '# Webhook payloads',
    'This page lists the fields in the body of a webhook delivery. [Events](events.md) describes each field, and [Protocol](protocol.md#webhooks) the request and its signature.',
    payloadSections(readSchema('webhook-payloads')),
  );
