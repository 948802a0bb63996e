import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = new URL('../../src/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, sources), 'utf8');
const page = readFileSync(new URL('../../docs/reference/json.md', import.meta.url), 'utf8');

/** The meaning of a field in the section for a type of line. */
function meaningOf(line: string, field: string): string {
  const section = page.split(/^### /m).find((text) => text.startsWith(`\`${line}\`\n`)) ?? '';
  return section.split('\n').find((row) => row.startsWith(`- \`${field}\`:`)) ?? '';
}

const quoted = (text: string): string[] => [...text.matchAll(/'([\w-]+)'/g)].map(([, value = '']) => value);
const unmentioned = (values: readonly string[], text: string): string[] =>
  values.filter((value) => !text.includes(`\`${value}\``) && !text.includes(`"${value}"`));

const changeOf = (type: string): RegExp => new RegExp(`oneOf\\('${type}'\\)[^}]*change: oneOf\\(([^)]*)`);

test.each<[line: string, field: string, file: string, values: RegExp]>([
  ['block', 'change', 'contract/routes/live.ts', changeOf('block')],
  ['broken', 'what', 'dev/events/session-event.ts', /what: ([^;]*);/],
  [
    'call-finished',
    'call.cause',
    'protocol/log-and-outbound-types.ts',
    /CallCause {[^]*?\n {2}type: ([^;]*);/,
  ],
  ['checked', 'by', 'dev/events/session-event.ts', /by: ([^;]*);/],
  ['delivery', 'delivery.phase', 'webhooks/model/delivery.ts', /DeliveryPhase =([^;]*);/],
  ['endpoint', 'change', 'contract/routes/live.ts', changeOf('endpoint')],
  ['installation', 'change', 'contract/routes/live.ts', changeOf('installation')],
  ['log', 'line.level', 'protocol/log-and-outbound-types.ts', /level: ([^;]*);/],
  ['task', 'change', 'contract/routes/live.ts', changeOf('task')],
])('json.md lists every value of %s %s', (line, field, file, values) => {
  const found = quoted(values.exec(read(file))?.[1] ?? '');
  expect(found.length).toBeGreaterThan(1);
  expect(unmentioned(found, meaningOf(line, field))).toEqual([]);
});

test('json.md lists every warning code', () => {
  const codes = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...read(file).matchAll(/type: 'warning',\s*code: '([\w-]+)'/g)])
    .map(([, code = '']) => code);
  console.log(`json.md: ${new Set(codes).size} codes of warnings`);
  expect(codes.length).toBeGreaterThan(15);
  expect(unmentioned([...new Set(codes)], meaningOf('warning', 'code'))).toEqual([]);
});
