import { UserError } from '../../../base/user-error.js';
import type { ConfigurationValues } from '../../../protocol/environment.js';
import type { TrafficEntry } from '../../../contract/routes/calls.js';
import type { RecordedCall } from './render-call.js';

/** A vitest file that plays a recorded call, and expects what was answered. */
export function renderRecordedTest(call: RecordedCall, paths: { script: string; manifest: string }): string {
  const { entry, request, response } = call;
  const { event, environment, response: answer } = entry;
  if (!event || !answer) {
    throw new UserError('not-playable', 'This entry has no event, or no answer to expect.');
  }
  if (isGone(entry.requestBytes, request) || isGone(entry.responseBytes, response)) {
    throw new UserError(
      'body-gone',
      'The bodies of this call are not kept any more.',
      'Let it happen again.',
    );
  }
  const name = entry.request ? `${entry.request.method} ${pathOf(entry).path}` : event.type;
  const play = entry.request ? `platform.fetch(${playRequest(entry, request)})` : playEvent(event);
  const text = response && readText(response);
  const test = `import { createTestPlatform } from 'integration-platform/testing';
import { expect, test } from 'vitest';
import integration from ${quote(paths.script)};

test(${quote(`${name} answers as it did`)}, async () => {
  const platform = await createTestPlatform({
    integration,
    manifest: new URL(${quote(paths.manifest)}, import.meta.url),${renderSecrets(environment?.secrets)}
  });
${renderStubs(entry)}${renderSettings(entry)}  const answer = await ${play};
  expect(answer.status).toBe(${answer.status});
  ${expectBody(entry, response, text)}
  await platform.close();
});
`;
  return originsOf(environment).reduce((moved, origin) => moved.replaceAll(origin, testOrigin), test);
}

/** Where the platform of a test says that it is. */
const testOrigin = 'http://127.0.0.1:4100';

const originsOf = (environment: TrafficEntry['environment']): string[] =>
  environment ? [environment.apiEndpoint, environment.integration.urls.publicEndpoint].map(originOf) : [];

const originOf = (url: string): string => new URL(url).origin;

const isGone = (length: number, bytes: Uint8Array | undefined): boolean => length > 0 && !bytes;

const quote = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

const literal = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll('\n', '\n  ');

/** The record hides the values of secrets: what stands for them there stands for them here. */
function renderSecrets(secrets: Readonly<Record<string, string>> = {}): string {
  return Object.keys(secrets).length > 0
    ? `\n    secrets: ${literal(secrets).replaceAll('\n', '\n  ')},`
    : '';
}

function renderStubs({ outbound, environment }: TrafficEntry): string {
  const outside = outbound.filter(({ url }) => !url.startsWith(environment?.apiEndpoint ?? ''));
  const addresses = new Map(outside.map(({ url, status }) => [url, status || 200]));
  const stubs = [...addresses].map(
    ([url, status]) => `  platform.stub(${quote(url)}, () => new Response('', { status: ${status} }));\n`,
  );
  return stubs.length > 0
    ? `  // The bodies of these answers are not recorded: fill in what the script needs.\n${stubs.join('')}`
    : '';
}

function renderSettings({ environment }: TrafficEntry): string {
  const { installation, siteInstallation, spaceInstallation } = environment ?? {};
  const own = installation?.configuration ?? {};
  const part = siteInstallation ?? spaceInstallation;
  const place = literal(
    siteInstallation ? { site: siteInstallation.site } : { space: spaceInstallation?.space },
  );
  return [
    `  await platform.install(${isEmpty(own) ? '' : literal({ configuration: own })});\n`,
    ...(part && !isEmpty(part.configuration)
      ? [`  await platform.configure(${literal(part.configuration)}, ${place});\n`]
      : []),
  ].join('');
}

const isEmpty = (values: ConfigurationValues): boolean => Object.keys(values).length === 0;

/** The installation of the test has an id of its own. */
function playEvent(recorded: NonNullable<TrafficEntry['event']>): string {
  const { installationId: _, ...event } = recorded;
  return `platform.trigger(${literal(event)})`;
}

/** Made anew by whoever sends the request. */
const restless =
  /^(host|connection|keep-alive|transfer-encoding|content-length|user-agent|accept(-encoding|-language)?|sec-fetch-mode)$/i;

function playRequest(entry: TrafficEntry, body: Uint8Array | undefined): string {
  const { method = 'GET', headers = [] } = entry.request ?? {};
  const { path, place } = pathOf(entry);
  const kept = headers.filter(([name]) => !restless.test(name));
  const fields = [
    ...(method === 'GET' ? [] : [`method: ${quote(method)}`]),
    ...(kept.length > 0 ? [`headers: ${literal(Object.fromEntries(kept))}`] : []),
    ...Object.entries(place).map(([kind, id]) => `${kind}: ${quote(id)}`),
    ...(body?.length ? [`body: ${renderBytes(body)}`] : []),
  ];
  return fields.length > 0 ? `${quote(path)}, { ${fields.join(', ')} }` : quote(path);
}

const below = /^[/]v1[/]integrations[/][^/]+[/]installations[/][^/]+(?:[/](?:sites|spaces)[/][^/]+)?/;

/** Below the installation, or below its site or space; at the integration's own address the whole of it. */
function pathOf({ request, environment }: TrafficEntry): {
  path: string;
  place: { site?: string; space?: string };
} {
  const { origin, pathname, search } = new URL(request?.url ?? '');
  const { siteInstallation, spaceInstallation } = environment ?? {};
  if (!below.test(pathname)) return { path: `${origin}${pathname}${search}`, place: {} };
  return {
    path: `${pathname.replace(below, '') || '/'}${search}`,
    place: {
      ...(siteInstallation && { site: siteInstallation.site }),
      ...(spaceInstallation && { space: spaceInstallation.space }),
    },
  };
}

function expectBody(
  { request }: TrafficEntry,
  bytes: Uint8Array = new Uint8Array(),
  text: string | undefined,
): string {
  if (!request) return `expect(answer.text).toBe(${quote(text ?? '')});`;
  return text === undefined && bytes.length > 0
    ? `expect(new Uint8Array(await answer.arrayBuffer())).toEqual(${renderBytes(bytes)});`
    : `expect(await answer.text()).toBe(${quote(text ?? '')});`;
}

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
