import { consoleApi } from '../../src/contract/console-api.js';
import { fieldsOf as inputsOf, type Route } from '../../src/contract/basics/route.js';
import { fieldsOf, type Schema } from './json-schema.js';
import { blocks, code, table } from './markdown.js';
import { fieldTable } from './schema-keys.js';

function section([name, route]: [string, Route]): string {
  const { path, query } = inputsOf(name, route);
  const input = route.input as Schema;
  const where = (field: string): string => {
    const [first = ''] = field.split(/[.[]/);
    return path.includes(first) ? 'path' : query.includes(first) ? 'query' : 'body';
  };
  const output = route.output as Schema;
  const fields = output.items ? fieldsOf(output.items, output, '[].') : fieldsOf(output, output);
  return blocks(
    `## ${name}`,
    `${route.summary}.`,
    table(
      ['input', 'in', 'type', 'required'],
      fieldsOf(input, input).map(({ path: field, schema, required }) => [
        code(field),
        where(field),
        String(schema.enum?.map((value) => code(String(value))).join(', ') ?? schema.type ?? 'any value'),
        required ? 'yes' : '',
      ]),
    ),
    fields.length > 0 ? 'Response:' : '',
    fields.length > 0 ? fieldTable(fields, output) : '',
    route.errors.length > 0 ? `Errors: ${route.errors.map(code).join(', ')}.` : '',
  );
}

export const consoleApiPage = (): string =>
  blocks(
    '# Console API',
    "The console and the commands use this API to talk to a running `platform dev`. Paths are relative to `/console/api`. Every request needs the current session's key in the `X-Platform-Token` header. `GET /console/api/openapi.json` returns an OpenAPI document.",
    ...Object.entries<Route>(consoleApi).map(section),
  );
