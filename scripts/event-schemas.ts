import { join } from 'node:path';
import { createGenerator, type Definition, type Schema } from 'ts-json-schema-generator';
import type { EventType, WebhookEvent } from '../src/protocol/events.js';
import { sampleEvent } from '../src/protocol/sample-events.js';
import { webhookPayload } from '../src/webhooks/send/webhook-payload.js';

type Definitions = Record<string, Definition>;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The sample's ids do not change from one run to the next. */
const sampleOf = (type: EventType) => sampleEvent(type, { newId: (kind) => `${kind}_8bd0gmd2ke4pvd7pxh0v` });

/** The schema of the events that a script receives, from the types that authors import. */
export function eventSchema(root: string): object {
  const { events, shared } = readTypes(root, 'PlatformEvent');
  return {
    $schema: dialect,
    $id: 'events.schema.json',
    title: 'Platform events',
    description: "Everything that the platform sends to an integration's script as `event`.",
    ...variantsOf(events, shared, (type) => sampleOf(type)),
  };
}

/** The schema of webhook payloads: the same events, with the fields that a payload has. */
export function webhookPayloadSchema(root: string): object {
  const { events, shared } = readTypes(root, 'WebhookEvent');
  const payloads = events.map(([type, event]): [EventType, Definition] => {
    const sent = Object.keys(webhookPayload(sampleOf(type) as WebhookEvent));
    const properties = Object.entries(event.properties ?? {}).filter(([name]) => sent.includes(name));
    return [type, { ...event, properties: Object.fromEntries(properties) }];
  });
  return {
    $schema: dialect,
    $id: 'webhook-payloads.schema.json',
    title: 'Webhook payloads',
    description: 'The JSON body of a webhook delivery.',
    ...variantsOf(payloads, shared, (type) => webhookPayload(sampleOf(type) as WebhookEvent)),
  };
}

function variantsOf(
  events: [EventType, Definition][],
  shared: Definitions,
  sample: (type: EventType) => object,
): object {
  const variants = events.map(([type, event]) => {
    const example = sample(type);
    return [type, { ...inOrderOf(Object.keys(example), event), examples: [example] }];
  });
  const [first] = events;
  const used = (name: string): boolean => JSON.stringify([events, shared]).includes(`"#/$defs/${name}"`);
  return {
    type: 'object',
    oneOf: events.map(([type]) => ({ $ref: `#/$defs/${type}` })),
    examples: first ? [sample(first[0])] : [],
    $defs: {
      ...Object.fromEntries(variants),
      ...Object.fromEntries(Object.entries(shared).filter(([name]) => used(name))),
    },
  };
}

/** The fields of the sample first: inherited fields would otherwise come in the order of inheritance. */
function inOrderOf(names: string[], event: Definition): Definition {
  const { properties = {}, required = [] } = event;
  const order = [...new Set([...names, ...Object.keys(properties)])].filter((name) => name in properties);
  return {
    ...event,
    required: order.filter((name) => required.includes(name)),
    properties: Object.fromEntries(order.map((name) => [name, properties[name] ?? {}])),
  };
}

/** The members of a union of events by their type, and the other types that they refer to. */
function readTypes(root: string, union: string): { events: [EventType, Definition][]; shared: Definitions } {
  const schema: Schema = createGenerator({
    path: join(root, 'src/protocol/events.ts'),
    tsconfig: join(root, 'tsconfig.json'),
    additionalProperties: true,
    expose: 'export',
    jsDoc: 'extended',
    skipTypeCheck: true,
    sortProps: false,
  }).createSchema(union);
  const definitions = Object.entries((schema.definitions ?? {}) as Definitions).filter(
    ([name]) => name !== union,
  );
  const names = new Map(definitions.map(([name, type]) => [name, eventType(type) ?? name]));
  const renamed = definitions.map(([name, type]): [string, Definition] => [
    names.get(name) ?? name,
    tidy(type, names) as Definition,
  ]);
  const isEvent = ([, type]: [string, Definition]): boolean => eventType(type) !== undefined;
  return {
    events: renamed.filter(isEvent) as [EventType, Definition][],
    shared: Object.fromEntries(renamed.filter((definition) => !isEvent(definition))),
  };
}

/** Events have a constant `type`; the other types do not. */
const eventType = ({ properties }: Definition): string | undefined => {
  const type = properties?.['type'];
  return typeof type === 'object' && typeof type.const === 'string' && 'eventId' in (properties ?? {})
    ? type.const
    : undefined;
};

/**
 * References by the new names, keys in the order of the type, and no `type` next to a constant or an
 * enumeration, because one wrong value should be one error.
 */
function tidy(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => tidy(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, type, title, description, required, properties, additionalProperties, ...rest } =
    value as Definition;
  const declared = Object.keys(properties ?? {});
  const open = additionalProperties === true || Object.keys(additionalProperties ?? {}).length === 0;
  return {
    ...($ref !== undefined && { $ref: `#/$defs/${names.get($ref.replace('#/definitions/', ''))}` }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: description.replaceAll('\n', ' ') }),
    ...(type !== undefined && rest.const === undefined && rest.enum === undefined && { type }),
    ...(required && { required: declared.filter((name) => required.includes(name)) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, tidy(property, names)]),
      ),
    }),
    // Any further field is allowed anyway.
    ...(!open && { additionalProperties: tidy(additionalProperties, names) }),
    ...Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, tidy(part, names)])),
  };
}
