import type { EventType } from '../../../protocol/events.js';
import events from '../../../../schemas/events.schema.json' with { type: 'json' };

/** The parts of JSON Schema that event schemas use. The build drops all others. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
}

const definitions = events.$defs as Record<string, JsonSchema>;

export function resolveSchema(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  const { $ref: _, ...own } = schema;
  return name === undefined ? schema : { ...definitions[name], ...own };
}

/** All other definitions have names that begin with an uppercase letter. */
export const eventTypes = Object.keys(definitions).filter((name) => /^[a-z]/.test(name)) as EventType[];

export const eventSchema = (type: EventType): JsonSchema => definitions[type] ?? {};
