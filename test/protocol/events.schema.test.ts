import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { EventType, WebhookEvent } from '../../src/protocol/events.js';
import { validate as validateEvent } from '../../src/protocol/generated/validate-event.js';
import { validate as validatePayload } from '../../src/protocol/generated/validate-webhook-payload.js';
import { sampleEvent } from '../../src/protocol/sample-events.js';
import { webhookPayload } from '../../src/webhooks/send/webhook-payload.js';

const path = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url));

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  const?: string;
  enum?: string[];
  title?: string;
  description?: string;
  examples?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  oneOf?: Schema[];
}

const readSchema = (name: string): Schema =>
  JSON.parse(readFileSync(path(`schemas/${name}.schema.json`), 'utf8'));
const events = readSchema('events');
const payloads = readSchema('webhook-payloads');
const typesOf = (schema: Schema): EventType[] =>
  (schema.oneOf ?? []).map(({ $ref }) => $ref?.split('/').at(-1) as EventType);

/** Converts a schema or a TypeScript type to one comparable form. */
type Shape = string | { [key: string]: Shape };

function shapeOfSchema(schema: Schema, root: Schema): Shape {
  if (schema.$ref) return shapeOfSchema(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, root);
  if (schema.const) return schema.const;
  if (schema.enum) return schema.enum.toSorted().join('|');
  if (schema.type === 'array') return { '[]': shapeOfSchema(schema.items ?? {}, root) };
  if (schema.type !== 'object') return schema.type ?? 'unknown';
  if (!schema.properties) {
    const { additionalProperties: values } = schema;
    return { '*': typeof values === 'object' ? shapeOfSchema(values, root) : 'unknown' };
  }
  return Object.fromEntries(
    Object.entries(schema.properties).map(([key, value]) => [
      schema.required?.includes(key) ? key : `${key}?`,
      shapeOfSchema(value, root),
    ]),
  );
}

/** Returns the same for the members of `PlatformEvent` by type. */
function shapesOfTypes(): Map<string, Shape> {
  const file = path('src/protocol/events.ts');
  const program = ts.createProgram([file], { strict: true, lib: ['lib.es2022.d.ts'], types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === 'PlatformEvent');
  const union = symbol && checker.getDeclaredTypeOfSymbol(symbol);

  const shapeOf = (given: ts.Type): Shape => {
    const type = given.flags & ts.TypeFlags.Unknown ? given : checker.getNonNullableType(given);
    if (type.isStringLiteral()) return type.value;
    const [item] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
    if (item) return { '[]': shapeOf(item) };
    if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
    if (type.isUnion())
      return type.types
        .map((one) => checker.typeToString(one).replaceAll('"', ''))
        .toSorted()
        .join('|');
    if (!(type.flags & ts.TypeFlags.Object)) return checker.typeToString(type);
    const properties = type.getProperties();
    const index = type.getStringIndexType();
    if (properties.length === 0 && index) return { '*': shapeOf(index) };
    return Object.fromEntries(
      properties.map((property) => {
        const optional = property.flags & ts.SymbolFlags.Optional;
        return [optional ? `${property.name}?` : property.name, shapeOf(checker.getTypeOfSymbol(property))];
      }),
    );
  };
  const members = union?.isUnion() ? union.types.map(shapeOf) : [];
  return new Map(
    members.flatMap((shape) =>
      typeof shape === 'object' && typeof shape.type === 'string' ? [[shape.type, shape]] : [],
    ),
  );
}

test('describes the same events in the TypeScript types and in the schema', () => {
  const types = shapesOfTypes();
  expect([...types.keys()].toSorted()).toEqual(typesOf(events).toSorted());
  for (const type of typesOf(events)) {
    expect(shapeOfSchema({ $ref: `#/$defs/${type}` }, events)).toEqual(types.get(type));
  }
});

test('gives a webhook payload the same schema as its event, except for updatedBy', () => {
  expect(typesOf(payloads)).toEqual(['space_content_updated', 'site_view', 'page_feedback']);
  for (const type of typesOf(payloads)) {
    const event = events.$defs?.[type];
    // Only scripts can see who changed the content.
    const { updatedBy: _, ...properties } = event?.properties ?? {};
    const examples = event?.examples?.map((example) => webhookPayload(example as WebhookEvent));
    expect(payloads.$defs?.[type]).toEqual({ ...event, properties, examples });
    expect(examples?.map((example) => 'updatedBy' in example)).toEqual([false]);
  }
});

describe.each(typesOf(events))('%s', (type) => {
  test('has a title, a description and valid examples in the schema', () => {
    const { title, description, examples = [] } = events.$defs?.[type] ?? {};
    expect([title, description]).toEqual([expect.stringMatching(/^[A-Z]/), expect.stringMatching(/[.]$/)]);
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.map((example) => validateEvent(example))).toEqual(examples.map(() => true));
  });

  test('has a valid sample event', () => {
    expect([validateEvent(sampleEvent(type)), validateEvent.errors]).toEqual([true, null]);
  });

  test('reports exactly one validation error for each mistake', () => {
    const { required = [] } = events.$defs?.[type] ?? {};
    for (const key of required.filter((name) => name !== 'type')) {
      const { [key]: _, ...event } = sampleEvent(type) as unknown as Record<string, unknown>;
      validateEvent(event);
      expect(validateEvent.errors).toMatchObject([{ keyword: 'required', params: { missingProperty: key } }]);
      validateEvent({ ...event, [key]: 7 });
      expect(validateEvent.errors).toMatchObject([{ instancePath: `/${key}` }]);
    }
  });
});

test.each([
  ['an unknown type', { type: 'space_exploded' }, 'discriminator'],
  ['a missing type', { eventId: 'evt' }, 'discriminator'],
  ['a type that is not a string', { type: 5 }, 'discriminator'],
  ['a list', [], 'type'],
])('reports exactly one validation error for %s', (_, value, keyword) => {
  expect([validateEvent(value), validateEvent.errors?.length]).toEqual([false, 1]);
  expect(validateEvent.errors?.[0]?.keyword).toBe(keyword);
  expect([validatePayload(value), validatePayload.errors?.length]).toEqual([false, 1]);
});

test('uses the given ids in a sample event', () => {
  const scene = {
    installationId: 'i',
    siteId: 's',
    url: 'https://x.test/a',
    newId: (kind: string) => `${kind}_9`,
  };
  expect(sampleEvent('site_view', scene)).toEqual({
    eventId: 'evt_9',
    type: 'site_view',
    installationId: 'i',
    siteId: 's',
    visitor: {
      anonymousId: 'vis_9',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ip: '203.0.113.7',
      cookies: {},
    },
    url: 'https://x.test/a',
    referrer: 'https://www.example.com/search?q=docs',
  });
  expect(sampleEvent('task').eventId).toMatch(/^evt_[0-9a-f]{20}$/);
});
