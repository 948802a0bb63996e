import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { readFields } from '../../../src/cli/session/read-arguments.js';
import type { CallRecord } from '../../../src/contract/routes/calls.js';
import { toCurl, toTrigger } from '../../../src/console/calls/detail/copy-as.js';
import type { PlatformEvent } from '../../../src/protocol/events.js';
import { setPath } from '../../../src/base/set-path.js';
import { callEntry } from '../../support/call-entry.js';

const entry = (part: Partial<CallRecord>): CallRecord => ({
  ...callEntry('call_1'),
  severity: 'none',
  ...part,
});

const view = {
  eventId: 'evt_1',
  type: 'site_view' as const,
  installationId: 'installation_1',
  siteId: 'site_local',
  visitor: { anonymousId: 'v', userAgent: 'Mozilla 5', ip: '1.2.3.4', cookies: {} },
  url: "https://x.test/it's",
  referrer: '',
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('copies a request as a curl command', () => {
  const request = {
    method: 'POST',
    url: "http://127.0.0.1:4100/v1/integrations/a/hook?q='x'",
    headers: [
      ['host', '127.0.0.1:4100'],
      ['content-type', 'application/json'],
      ['content-length', '7'],
    ] as [string, string][],
  };
  expect(toCurl(entry({ source: 'request', request }), 'http://127.0.0.1:4100/v1', bytes('{"a":1}'))).toBe(
    String.raw`curl -X POST 'http://127.0.0.1:4100/v1/integrations/a/hook?q='\''x'\''' \
  -H 'content-type: application/json' \
  --data-raw '{"a":1}'`,
  );
});

it('quotes the method of a copied request', () => {
  const request = { method: "GET'$(id)", url: 'http://x.test/', headers: [] };
  expect(toCurl(entry({ source: 'request', request }), 'http://x.test/v1', bytes(''))).toBe(
    String.raw`curl -X 'GET'\''$(id)' 'http://x.test/'`,
  );
});

it('encodes binary data for curl, and adds no content type if the request had none', () => {
  const request = { method: 'PUT', url: 'http://x.test/', headers: [] };
  const packed = Uint8Array.of(0, 255, 39);
  expect(toCurl(entry({ source: 'request', request }), 'http://x.test/v1', packed)).toBe(
    `printf %s AP8n | base64 -d |\ncurl -X PUT 'http://x.test/' \\\n  -H 'content-type:' \\\n  --data-binary @-`,
  );
});

it('copies a HEAD request as a curl command that does not wait for a body', () => {
  const request = { method: 'HEAD', url: 'http://x.test/', headers: [] };
  expect(toCurl(entry({ source: 'request', request }), 'http://x.test/v1', bytes(''))).toBe(
    `curl --head 'http://x.test/'`,
  );
});

it('copies an event as a curl command with the envelope that the script received', () => {
  expect(toCurl(entry({ event: view }), 'http://127.0.0.1:4100/v1', bytes(''))).toBe(
    `curl 'http://127.0.0.1:4100/v1' \\\n  --form-string 'event=${JSON.stringify(view).replace("'", String.raw`'\''`)}'`,
  );
});

it('copies an event as a platform command', () => {
  expect(toTrigger(entry({ event: view }))).toBe(String.raw`platform trigger site_view \
  --installation installation_1 \
  --site site_local \
  --set visitor.anonymousId=v \
  --set "visitor.userAgent=Mozilla 5" \
  --set visitor.ip=1.2.3.4 \
  --set "visitor.cookies={}" \
  --set "url=https://x.test/it's" \
  --set referrer=`);
  expect(toTrigger(entry({}))).toBeUndefined();
});

/** Returns the values from the displayed command after a shell and `platform trigger` have parsed it. */
async function setByTrigger(event: PlatformEvent): Promise<object> {
  const command = toTrigger(entry({ event })) ?? '';
  const words = execFileSync('sh', ['-c', command.replace('platform trigger', String.raw`printf '%s\0'`)]);
  const [, ...options] = words.toString().split('\0');
  const assignments = options.filter((_, at) => options[at - 1] === '--set');
  const made = {};
  for (const [path, value] of Object.entries(await readFields(event.type, assignments)))
    setPath(made, path, value);
  return made;
}

it.each([
  ['strings that look like JSON', { a: '5', b: 'true', c: 'null', d: '"x"', e: '{"f":1}', g: '1e3' }],
  ['other values', { a: 5, b: true, c: null, d: [1, '2'], e: '', f: 'a=b', g: 'ü $HOME `x`\n"' }],
  ['empty objects and lists', { a: {}, b: [] }],
  ['names with dots', { 'a.b': 1, c: { 'd.e=f': { g: 'x' } } }],
])('preserves %s in the platform command', async (_, props) => {
  const event = { type: 'ui_render', eventId: 'evt_1', installationId: 'installation_1' } as const;
  const context = { type: 'document', theme: 'dark' } as const;
  expect(await setByTrigger({ ...event, componentId: 'c', props, context })).toEqual({
    componentId: 'c',
    props,
    context,
  });
});
