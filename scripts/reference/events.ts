import type { EventType, PlatformEvent, WebhookEvent } from '../../src/protocol/events.js';
import { sampleEvent } from '../../src/protocol/sample-events.js';
import { webhookPayload } from '../../src/webhooks/send/webhook-payload.js';
import { fieldsOf, resolve, type Schema } from './json-schema.js';
import { blocks, code, fence } from './markdown.js';
import { fieldTable, readSchema } from './schema-keys.js';

/** The sample's ids do not change from one run to the next. */
function sampleOf(type: string): PlatformEvent {
  const newId = (kind: string): string => `${kind}_8bd0gmd2ke4pvd7pxh0v`;
  return sampleEvent(type as EventType, { newId });
}

function variantSections(root: Schema, sample: (type: string) => object): string {
  const sections = (root.oneOf ?? []).map((variant) => {
    const schema = resolve(variant, root);
    const type = String(schema.properties?.['type']?.const);
    return blocks(
      `## ${type}`,
      schema.description ?? '',
      fieldTable(
        fieldsOf(schema, root).filter(({ path }) => path !== 'type'),
        root,
      ),
      fence('json', JSON.stringify(sample(type), undefined, 2)),
    );
  });
  return blocks(...sections);
}

export const eventsPage = (): string =>
  blocks(
    '# Events',
    `The platform sends these events to the script. To send one to the running integration, use ${code('platform trigger <type>')}.`,
    variantSections(readSchema('events'), sampleOf),
  );

export const webhookPayloadsPage = (): string =>
  blocks(
    '# Webhook payloads',
    'This page describes the JSON body of a webhook delivery. [Protocol](protocol.md#webhooks) describes the request and its signature.',
    variantSections(readSchema('webhook-payloads'), (type) => webhookPayload(sampleOf(type) as WebhookEvent)),
  );
