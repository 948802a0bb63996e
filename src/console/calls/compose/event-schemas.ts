import type { EventType } from '../../../protocol/events.js';
import events from '../../../../schemas/events.schema.json' with { type: 'json' };

/** As much of JSON Schema as the events use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
}

const definitions = events.$defs as Record<string, JsonSchema>;

/** The schema itself, where only its name stands. */
export function resolveSchema(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  const { $ref: _, ...own } = schema;
  return name === undefined ? schema : { ...definitions[name], ...own };
}

export const eventTypes = events.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', '')) as EventType[];

export const eventSchema = (type: EventType): JsonSchema => definitions[type] ?? {};
