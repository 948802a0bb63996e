import { Ajv2020 } from 'ajv/dist/2020.js';
import { readdirSync, readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import { describe, expect, it } from 'vitest';
import { checkDocument } from '../../../src/manifest/check/check-document.js';
import { manifestKind } from '../../../src/manifest/check/manifest-kind.js';
import { parseManifest } from '../../../src/manifest/index.js';
import { scopes } from '../../../src/protocol/scopes.js';
import { processorMs } from '../../support/processor-time.js';

const folder = new URL('../../../schemas/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

interface Place {
  path: string;
  schema: Record<string, unknown>;
}

function places(value: unknown, path = ''): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Array.isArray(value) ? [] : [{ path, schema: value as Record<string, unknown> }];
  return [...here, ...Object.entries(value).flatMap(([key, child]) => places(child, `${path}/${key}`))];
}

const patterns = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) =>
    places(read(name)).flatMap(({ path, schema }) => [
      ...(typeof schema['pattern'] === 'string' ? [[`${name}#${path}`, schema['pattern']] as const] : []),
      ...(path.endsWith('/patternProperties')
        ? Object.keys(schema).map((pattern) => [`${name}#${path}`, pattern] as const)
        : []),
    ]),
  );

describe.each([{ strict: true }, { strict: true, strictRequired: true }])(
  'a schema validator with only the options %j',
  (options) => {
    it.each(readdirSync(folder).filter((name) => name.endsWith('.json')))('compiles %s', (name) => {
      const warnings: unknown[] = [];
      const keep = (text: unknown): void => void warnings.push(text);
      const logger = { log: keep, warn: keep, error: keep };
      const validate = new Ajv2020({ ...options, logger }).compile(read(name) as object);
      expect(warnings).toEqual([]);
      expect(validate(undefined)).toBe(false);
    });
  },
);

it('rejects 5,000 environments, but checks only 20 of them', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `  e${index}: {}\n`);
  const text = `name: weather\nscopes: []\nenvs:\n${names.join('')}`;
  const messages: string[] = [];
  const check = (): void => {
    const { diagnostics } = checkDocument('platform-manifest.yaml', { text, problems: [] }, manifestKind);
    messages.push(...diagnostics.map(({ message }) => message));
  };
  expect(processorMs(check)).toBeLessThan(5_000);
  expect(messages).toContain('envs must NOT have more than 20 properties.');
});

it.each([...new Map(patterns.map(([place, pattern]) => [pattern, place]))])(
  'matches %s in linear time',
  (pattern) => {
    expect(checkSync(pattern, '').status).toBe('safe');
  },
);

const manifest = places(read('editor/platform-manifest.schema.json'));

const refersTo = ({ $ref }: Record<string, unknown>): Record<string, unknown> =>
  manifest.find(({ path }) => `#${path}` === $ref)?.schema ?? {};

it('the manifest schema contains only valid examples', () => {
  const { properties = {} } = read('platform-manifest.schema.json') as {
    properties?: Record<string, { examples?: unknown[] }>;
  };
  const example = Object.entries(properties).map(([field, { examples = [] }]) => [field, examples[0]]);
  const { diagnostics } = parseManifest(JSON.stringify(Object.fromEntries(example)));
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
});

it('the manifest schema lists the same scopes as the platform', () => {
  const scope = manifest.find(({ path }) => path === '/$defs/scope');
  expect(scope?.schema['enum']).toEqual(scopes);
});

it('the manifest schema describes every field and every allowed value for editors', () => {
  const fields = manifest.filter(
    ({ path }) => /\/properties\/[^/]+$/.test(path) && !/\/examples\/|properties\/properties\/./.test(path),
  );
  expect(fields.length).toBeGreaterThan(40);
  const lacking = fields.flatMap(({ path, schema }) => {
    const whole = { ...refersTo(schema), ...schema };
    const wanted = ['title', 'description', ...('const' in whole ? [] : ['examples'])];
    return wanted.filter((word) => !(word in whole)).map((word) => `${path} lacks ${word}`);
  });
  expect(lacking).toEqual([]);
  const words = manifest.filter(({ schema }) => Array.isArray(schema['enum']));
  for (const { path, schema } of words) {
    const { length } = schema['enum'] as unknown[];
    expect([path, (schema['enumDescriptions'] as unknown[]).length]).toEqual([path, length]);
  }
});

const example = `name: weather
title: Weather
description: Shows the weather.
organization: acme
visibility: private
scopes: [space:content:read, space:content:write]
`;

it.each([
  ['title', { maxLength: 3 }, 'title must NOT have more than 3 characters.'],
  ['title', { minLength: 9 }, 'title must NOT have fewer than 9 characters.'],
  ['title', { pattern: '^x' }, 'title must match pattern "^x".'],
  ['organization', { enum: ['initech'] }, 'organization must be equal to one of the allowed values.'],
  ['organization', { const: 'initech' }, 'organization must be equal to constant.'],
  ['scopes', { maxItems: 1 }, 'scopes must NOT have more than 1 items.'],
  ['scopes', { minItems: 3 }, 'scopes must NOT have fewer than 3 items.'],
  [
    'scopes',
    { contains: { const: 'site:read' }, items: true },
    'scopes must contain at least 1 valid item(s).',
  ],
  ['scopes', { not: { minItems: 2 } }, 'scopes must NOT be valid.'],
])('reports a schema keyword that has no problem code of its own: %s with %j', (field, keyword, message) => {
  const schema = read('platform-manifest.schema.json') as { properties: Record<string, object> };
  schema.properties[field] = { ...schema.properties[field], ...keyword };
  const validate = new Ajv2020({ allErrors: true, logger: false }).compile(schema);
  const kind = { ...manifestKind, validate: validate as typeof manifestKind.validate };
  const { diagnostics } = checkDocument('platform-manifest.yaml', { text: example, problems: [] }, kind);
  expect(diagnostics.map((found) => [found.severity, found.code, found.message])).toContainEqual([
    'error',
    'manifest/invalid-value',
    message,
  ]);
});

it('reports that the whole file violates a schema keyword', () => {
  const validate = new Ajv2020().compile({ type: 'object', maxProperties: 5 });
  const kind = { ...manifestKind, validate: validate as typeof manifestKind.validate };
  const { diagnostics } = checkDocument('platform-manifest.yaml', { text: example, problems: [] }, kind);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'The file must NOT have more than 5 properties.',
  ]);
});

const whole = {
  name: 'weather',
  title: 'Weather',
  description: 'Shows the weather.',
  organization: 'acme',
  visibility: 'private',
  scopes: [],
};
const compile = (name: string) =>
  new Ajv2020({ logger: false }).compile(read(`${name}.schema.json`) as object);

it.each(['platform-manifest', 'platform-dev', 'events', 'webhook-payloads'])(
  'compiles %s as JSON',
  (name) => {
    expect(compile(name)({})).toBe(name === 'platform-dev');
  },
);

const channel = (property: object): object => ({
  configurations: { account: { properties: { channel: { type: 'string', ...property } } } },
});

it.each([
  [true, {}],
  [true, channel({ enum: ['a'] })],
  [true, channel({ completion_url: '/a/b' })],
  [false, channel({ enum: ['a'], completion_url: '/a' })],
  [false, channel({ completion_url: '//evil.example' })],
  [false, channel({ completion_url: '/a//b' })],
  [false, channel({ completion_url: '/a/../b' })],
  [true, { externalLinks: [{ label: 'Docs', url: 'https://example.com/a' }] }],
  [false, { externalLinks: [{ label: 'Docs', url: 'mailto:a@example.com' }] }],
  [true, { icon: './assets/icon.png' }],
  [false, { icon: 'https://example.com/icon.png' }],
])('returns %s for a manifest with %j', (valid, fields) => {
  expect(compile('platform-manifest')({ ...whole, ...fields })).toBe(valid);
});

it('the schemas use no keywords that only editors understand', () => {
  const text = JSON.stringify(read('platform-manifest.schema.json'));
  expect(text).not.toMatch(/markdownDescription|enumDescriptions|defaultSnippets|discriminator/);
});
