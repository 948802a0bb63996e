import { parseJson } from '../../../base/parse-json.js';
import { hiddenSecret } from '../../../protocol/mask-secrets.js';
import type { OutboundMessage } from '../../../protocol/log-and-outbound-types.js';
import { isObject } from '../../http/read-json.js';

export interface Fact {
  name: string;
  value: string;
}

/** Names of credentials, which are masked in every format. */
const secretName = /^(code|code_verifier|password|assertion)$|(token|secret|api_?key)$/i;

/** Returns the fields of a JSON or form-encoded body. */
export function readFields(message: OutboundMessage | undefined): Record<string, unknown> {
  if (message?.body?.encoding !== 'utf-8') return {};
  const { content } = message.body;
  const value = parseJson(content, undefined);
  if (value !== undefined) return isObject(value) ? value : {};
  return content.includes('=') ? Object.fromEntries(new URLSearchParams(content)) : {};
}

/** Returns the same fields for display, with secrets removed. */
export const factsOf = (fields: Record<string, unknown>): Fact[] =>
  Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [{ name, value: secretName.test(name) ? hiddenSecret : textOf(value) }],
  );

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, maskedByName);

const maskedByName = (name: string, value: unknown): unknown =>
  typeof value === 'string' && secretName.test(name) ? hiddenSecret : value;
