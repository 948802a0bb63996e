import type { CallRecord } from '../../../contract/routes/calls.js';
import { isJson } from '../../../base/parse-json.js';
import { curlCommand, sendText, shellQuote, shellWord } from '../../../base/text/curl-command.js';
import { isRecord } from '../../markup/basics/read-markup.js';
import { readBody } from '../../text/readable-body.js';

/**
 * Returns a curl command that sends the same request. An event from the platform is sent as the envelope that the script
 * received.
 */
export function toCurl(entry: CallRecord, envelope: string, body: Uint8Array): string {
  const { request, event, environment } = entry;
  if (request) {
    const { method, url, headers } = request;
    const { before, option } = sendBody(body);
    const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
    const options = [
      // Removes the content type, because by default curl sends every body as a form.
      ...(option !== undefined && !typed ? [`-H 'content-type:'`] : []),
      ...(option === undefined ? [] : [option]),
    ];
    return before + curlCommand({ method, url, headers, options });
  }
  const fields = Object.entries({ event, environment })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--form-string ${shellQuote(`${name}=${JSON.stringify(value)}`)}`);
  return [`curl ${shellQuote(envelope)}`, ...fields].join(' \\\n  ');
}

/**
 * Passes text as an argument. Decodes any other body from base64, because a shell argument cannot contain arbitrary bytes.
 */
function sendBody(bytes: Uint8Array): { before: string; option?: string } {
  const body = readBody(bytes);
  switch (body.kind) {
    case 'empty':
      return { before: '' };
    case 'json':
    case 'text':
      return { before: '', option: sendText(body.text) };
    case 'binary': {
      const packed = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      return { before: `printf %s ${packed} | base64 -d |\n`, option: '--data-binary @-' };
    }
  }
}

/** Returns the command that sends the event again. The platform sets `eventId` and `type`. */
export function toTrigger({ event }: CallRecord): string | undefined {
  if (!event) return undefined;
  const { eventId: _, type, installationId, ...payload } = event;
  const targets = { siteId: 'site', spaceId: 'space' } as const;
  const options = Object.entries(payload).flatMap(([key, value]) => {
    const target = Object.hasOwn(targets, key) ? targets[key as keyof typeof targets] : undefined;
    if (target && typeof value === 'string') return [`--${target} ${shellWord(value)}`];
    return leaves(key, value).map(([path, leaf]) => `--set ${shellWord(`${path}=${leaf}`)}`);
  });
  return [
    `platform trigger ${shellWord(type)}`,
    `--installation ${shellWord(installationId)}`,
    ...options,
  ].join(' \\\n  ');
}

/** Returns one path for each value. If an object's keys are not allowed in a path, returns the object as JSON. */
function leaves(path: string, value: unknown): [path: string, value: string][] {
  if (value === undefined) return [];
  if (isRecord(value)) {
    const fields = Object.entries(value);
    if (fields.length > 0 && fields.every(([key]) => /^[^.=]+$/.test(key)))
      return fields.flatMap(([key, inner]) => leaves(`${path}.${key}`, inner));
  }
  // `--set` parses a value as JSON if it can.
  return [[path, typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)]];
}
