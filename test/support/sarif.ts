import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** The published schema uses draft 4. Here, the only difference is the keyword for its id. */
export function createSarifValidator() {
  const file = new URL('../fixtures/diagnostics/sarif-2.1.0.schema.json', import.meta.url);
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'file:///') && !/[\s"<>\\^`{|}]/.test(text));
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
  return ajv.compile(schema);
}
