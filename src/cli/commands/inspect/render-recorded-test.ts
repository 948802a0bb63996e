import { belowEndpoint } from '../../../base/text/below-endpoint.js';
import { UserError } from '../../../base/user-error.js';
import type { ConfigurationValues } from '../../../protocol/environment.js';
import type { CallRecord, OutboundDetails } from '../../../contract/routes/calls.js';
import type { RecordedCall } from './render-call.js';

/** Renders a vitest file that repeats a recorded call and expects the same response. */
export function renderRecordedTest(call: RecordedCall, paths: { script: string; manifest: string }): string {
  const { entry, request, response } = call;
  const { event, environment, response: answer } = entry;
  if (!event || !answer) {
    throw new UserError('not-playable', 'This call has no event, or no response to expect.');
  }
  if (isGone(entry.requestBytes, request) || isGone(entry.responseBytes, response)) {
    throw new UserError(
      'body-gone',
      'The bodies of this call were deleted.',
      'Trigger it again, then use the id of the new call.',
    );
  }
  const name = entry.request ? `${entry.request.method} ${pathOf(entry).path}` : event.type;
  const play = entry.request ? `platform.fetch(${playRequest(entry, request)})` : playEvent(event);
  const text = response && readText(response);
  const stubs = renderStubs(call);
  const test = `import { createTestPlatform } from 'integration-platform/testing';
import { expect, test, vi } from 'vitest';
import integration from ${quote(paths.script)};

${stubs.complete ? 'test' : incomplete}(${quote(`${name} returns the same response`)}, async () => {
  // Signatures and sign-in links expire, so this runs at the time of the recording.
  vi.setSystemTime(${quote(new Date(entry.time).toISOString())});
  const platform = await createTestPlatform({
    integration,
    manifest: new URL(${quote(paths.manifest)}, import.meta.url),${renderSecrets(environment?.secrets)}
  });
${stubs.text}${renderSettings(entry)}  const response = await ${play};
  expect(response.status).toBe(${answer.status});
  ${expectBody(entry, response, text)}
  await platform.close();
  vi.useRealTimers();
});
`;
  return originsOf(environment).reduce((moved, origin) => moved.replaceAll(origin, testOrigin), test);
}

/** The author has to complete the stubs first. */
const incomplete = `// Some response bodies were not recorded in full. Complete the stubs, then remove ".skip".\ntest.skip`;

/** The address that the platform of a test reports. */
const testOrigin = 'http://127.0.0.1:4100';

const originsOf = (environment: CallRecord['environment']): string[] =>
  environment ? [environment.apiEndpoint, environment.integration.urls.publicEndpoint].map(originOf) : [];

const originOf = (url: string): string => new URL(url).origin;

const isGone = (length: number, bytes: Uint8Array | undefined): boolean => length > 0 && !bytes;

/** The record masks secrets, so the test uses the masks as their values. */
function renderSecrets(secrets: Readonly<Record<string, string>> = {}): string {
  return Object.keys(secrets).length > 0
    ? `\n    secrets: ${literal(secrets).replaceAll('\n', '\n  ')},`
    : '';
}

function renderSettings({ environment }: CallRecord): string {
  const { installation, siteInstallation, spaceInstallation } = environment ?? {};
  const own = installation?.configuration ?? {};
  const part = siteInstallation ?? spaceInstallation;
  const target = literal(
    siteInstallation ? { site: siteInstallation.site } : { space: spaceInstallation?.space },
  );
  return [
    `  await platform.install(${isEmpty(own) ? '' : literal({ configuration: own })});\n`,
    ...(part && !isEmpty(part.configuration)
      ? [`  await platform.configure(${literal(part.configuration)}, ${target});\n`]
      : []),
  ].join('');
}

const isEmpty = (values: ConfigurationValues): boolean => Object.keys(values).length === 0;

/** The installation of the test has a different id. */
function playEvent(recorded: NonNullable<CallRecord['event']>): string {
  const { installationId: _, ...event } = recorded;
  return `platform.trigger(${literal(event)})`;
}

/** Headers that each client sets again. */
const restless =
  /^(host|connection|keep-alive|transfer-encoding|content-length|user-agent|accept(-encoding|-language)?|sec-fetch-mode)$/i;

function playRequest(entry: CallRecord, body: Uint8Array | undefined): string {
  const { method = 'GET', headers = [] } = entry.request ?? {};
  const { path, target } = pathOf(entry);
  const kept = headers.filter(([name]) => !restless.test(name));
  const fields = [
    ...(method === 'GET' ? [] : [`method: ${quote(method)}`]),
    ...(kept.length > 0 ? [`headers: ${literal(Object.fromEntries(kept))}`] : []),
    ...Object.entries(target).map(([kind, id]) => `${kind}: ${quote(id)}`),
    ...(body?.length ? [`body: ${renderBytes(body)}`] : []),
  ];
  return fields.length > 0 ? `${quote(path)}, { ${fields.join(', ')} }` : quote(path);
}

const atInstallation = /^[/]v1[/]integrations[/][^/]+[/]installations[/]/;

/** The path below the endpoint of the installation, site or space. For other addresses, the whole URL. */
function pathOf({ request, environment }: CallRecord): {
  path: string;
  target: { site?: string; space?: string };
} {
  const url = request?.url ?? '';
  const { siteInstallation, spaceInstallation } = environment ?? {};
  if (!atInstallation.test(new URL(url).pathname)) return { path: url, target: {} };
  return {
    path: belowEndpoint(url),
    target: {
      ...(siteInstallation && { site: siteInstallation.site }),
      ...(spaceInstallation && { space: spaceInstallation.space }),
    },
  };
}

function expectBody(
  { request }: CallRecord,
  bytes: Uint8Array = new Uint8Array(),
  text: string | undefined,
): string {
  if (!request) return `expect(response.text).toBe(${quote(text ?? '')});`;
  return text === undefined && bytes.length > 0
    ? `expect(new Uint8Array(await response.arrayBuffer())).toEqual(${renderBytes(bytes)});`
    : `expect(await response.text()).toBe(${quote(text ?? '')});`;
}

/** Stubs that give a test the responses that the script got while it was recorded. */
function renderStubs({ entry }: RecordedCall): { text: string; complete: boolean } {
  const apiEndpoint = entry.environment?.apiEndpoint;
  const outside = entry.outbound.filter(
    ({ url }) => apiEndpoint === undefined || !url.startsWith(apiEndpoint),
  );
  const responses = new Map<string, string[]>();
  for (const { method, url, status, response } of outside) {
    const address = `${method} ${url}`;
    responses.set(address, [...(responses.get(address) ?? []), renderResponse(status, response)]);
  }
  const stubs = [...responses].map(([address, list]) => {
    const value = list.length === 1 ? list[0] : `[${list.join(', ')}]`;
    return `  platform.stub(${quote(address)}, ${value});\n`;
  });
  const complete = outside.every(({ status, response }) => status === 0 || isComplete(response));
  return { text: stubs.join(''), complete };
}

type Recorded = OutboundDetails['response'];

const isComplete = (response: Recorded): boolean => response !== undefined && !response.body?.cut;

/** Headers that describe how the body was sent. */
const ofTransfer =
  /^(content-length|content-encoding|transfer-encoding|connection|keep-alive|date|set-cookie)$/i;

function renderResponse(status: number, response: Recorded): string {
  if (status === 0) return "() => Promise.reject(new TypeError('fetch failed'))";
  const kept = (response?.headers ?? []).filter(([name]) => !ofTransfer.test(name));
  const headers = kept.length > 0 ? `, headers: ${literal(Object.fromEntries(kept))}` : '';
  const { encoding = 'utf-8', content = '' } = response?.body ?? {};
  const body =
    [204, 205, 304].includes(status) || !response?.body
      ? 'null'
      : renderBytes(Buffer.from(content, encoding));
  return `new Response(${body}, { status: ${status}${headers} })`;
}

/** A string as it is written in a source file. */
const quote = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

const literal = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');

function renderBytes(bytes: Uint8Array): string {
  const text = readText(bytes);
  if (text !== undefined) return quote(text);
  const base64 = Buffer.from(bytes).toString('base64');
  return `Uint8Array.from(atob('${base64}'), (character) => character.charCodeAt(0))`;
}

function readText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
