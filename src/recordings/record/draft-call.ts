import { belowEndpoint } from '../../base/text/below-endpoint.js';
import { formatBytes } from '../../base/text/format-bytes.js';
import type { Environment, SiteInstallation } from '../../protocol/environment.js';
import type { Integration } from '../../protocol/integration.js';
import type { DefaultedProperties, OutboundMessage } from '../../protocol/log-and-outbound-types.js';
import { bodyOfBytes } from '../../sandbox/index.js';
import { toRecordedBody } from '../file/recorded-body.js';
import type {
  BrokenBody,
  RecordedBody,
  RecordedCall,
  RecordedEvent,
  RecordedRequest,
  StoredFields,
} from '../file/recording.js';
import { KEPT_BYTES } from '../../sandbox/observe/beginning-of-body.js';
import { CONSOLE, PLATFORM, SITE } from '../recorded-environment.js';
import { headersField, keepHeaders, keepSentHeaders } from '../recorded-outcome.js';
import type { LoggedCall } from '../../emulator/index.js';

export interface DraftOptions {
  integration: Integration;
  /** When the recording starts. */
  start: number;
  withBinary: boolean;
  /** The names of request headers to keep, although they usually identify only the sender. */
  keepHeaders: readonly string[];
  /** Whether to keep even the headers of the connection, because the script may have passed them on. */
  whole?: boolean;
  /** Called for each item that the recording omits. */
  leftOut(what: string): void;
}

/** Converts the inputs of a logged call to a draft recording. The draft still contains masks and users' input. */
export function draftCall(logged: LoggedCall, options: DraftOptions): RecordedCall {
  const { environment, event = { type: 'unknown' }, requestBody, requestBytes = 0, time, outbound } = logged;
  const move = moveOrigins(environment);
  const recordedEvent = event as RecordedEvent;
  if (!requestBody && requestBytes > 0)
    options.leftOut(`the body of ${nameOf(recordedEvent)}, because the log no longer contains it`);
  const body =
    requestBody && bodyField(requestBody, { ...options, what: `the body of ${nameOf(recordedEvent)}` });
  return move({
    name: nameOf(recordedEvent, logged.cause?.change),
    after: Math.max(0, Math.round(time - options.start)),
    stored: storedOf(logged, options.integration),
    event: withoutForeignHeaders(recordedEvent, options),
    ...body,
    outbound: outbound.map((request) => ({
      ...draftRequest(request, options),
      ms: Math.max(0, Math.round(request.durationMs)),
    })),
    ...draftResponse(logged),
  });
}

/** What the script did in `platform dev`, for comparison with the replay. */
function draftResponse({
  response,
  responseBody,
  responseBytes = 0,
}: LoggedCall): Pick<RecordedCall, 'response'> {
  if (!response) return {};
  const isWhole = responseBody ? responseBody.length < KEPT_BYTES : responseBytes === 0;
  const body = isWhole && responseBody ? toRecordedBody(bodyOfBytes(responseBody)) : undefined;
  return {
    response: {
      status: response.status,
      ...keepHeaders(response.headers ?? []),
      ...(body !== undefined && { body }),
    },
  };
}

/** Returns a readable name for the call. */
function nameOf({ type, request, componentId, task }: RecordedEvent, change?: string): string {
  if (request) return `${request.method} ${belowEndpoint(request.url).replace(/\?.*/, '')}`;
  return [type, componentId ?? task?.type ?? change].filter((part) => part !== undefined).join(' ');
}

/** Replaces the session's own URLs in all strings, because they depend on its ports. */
function moveOrigins(environment: Environment | undefined): <Value>(value: Value) => Value {
  const originOf = (url: string | undefined): string | undefined =>
    url ? URL.parse(url)?.origin : undefined;
  const moves = [
    [originOf(environment?.apiEndpoint), PLATFORM],
    [originOf(environment?.integration.urls.publicEndpoint), PLATFORM],
    [originOf(environment?.integration.urls.app), CONSOLE],
  ].flatMap(([from, to]) =>
    from !== undefined && to !== undefined && from !== to ? [[from, to] as const] : [],
  );
  const site = /http:\/\/127\.(?!0\.0\.1:)\d{1,3}\.\d{1,3}\.\d{1,3}:\d{1,5}/g;
  // Temporary markers are used first, because the URL of one session's console may be the URL of another session's API.
  return (value) => {
    let text = JSON.stringify(value);
    for (const [index, [from]] of moves.entries())
      text = text.replaceAll(wholeOrigin(from), `\u0001${index}\u0002`);
    // Only the platform's console and site have such addresses.
    text = text.replaceAll(site, SITE);
    for (const [index, [, to]] of moves.entries()) text = text.replaceAll(`\u0001${index}\u0002`, to);
    return JSON.parse(text) as typeof value;
  };
}

/** The host or port in another address may be longer. */
const wholeOrigin = (origin: string): RegExp =>
  new RegExp(`${origin.replaceAll(/[.[\]]/g, String.raw`\$&`)}(?!:?\\d|\\.?[\\w-])`, 'g');

/** Stores only explicitly set values, because the manifest in a replay fills in its own defaults. */
function storedOf(
  { environment, defaulted }: LoggedCall,
  { configurations }: Integration,
): RecordedCall['stored'] {
  const { installation, siteInstallation, spaceInstallation } = environment ?? {};
  const part = (
    { status, configuration, externalIds }: Pick<SiteInstallation, StoredFields>,
    name: keyof DefaultedProperties,
    section: Integration['configurations'][keyof Integration['configurations']],
  ) => {
    const isSet = ([key, value]: [string, unknown]): boolean => {
      if (defaulted) return !defaulted[name]?.includes(key);
      const property = section?.properties[key];
      return !property || property.type === 'button' || property.default !== value;
    };
    const set = Object.fromEntries(Object.entries(configuration).filter(isSet));
    return { status, configuration: set, externalIds };
  };
  return {
    ...(installation && {
      installation: {
        id: installation.id,
        organization: installation.organization,
        ...part(installation, 'installation', configurations.account),
        ...(installation.spaces !== undefined && { spaces: installation.spaces }),
        ...(installation.network && { network: installation.network }),
      },
    }),
    ...(siteInstallation && {
      siteInstallation: {
        site: siteInstallation.site,
        ...(siteInstallation.space !== undefined && { space: siteInstallation.space }),
        ...part(siteInstallation, 'siteInstallation', configurations.site),
      },
    }),
    ...(spaceInstallation && {
      spaceInstallation: {
        space: spaceInstallation.space,
        ...part(spaceInstallation, 'spaceInstallation', configurations.space),
      },
    }),
  };
}

/** Headers added by browsers, proxies and connections, which scripts rarely read. */
const transport =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|user-agent|accept-encoding|sec-.*|cache-control|pragma|upgrade.*|priority|dnt|te|expect|via|forwarded|x-forwarded-.*|x-real-ip|true-client-ip|cf-.*|cdn-loop|fly-.*|x-vercel-.*|x-amzn-.*|traceparent|tracestate|baggage|sentry-trace|x-b3-.*|ngrok-.*)$/;

/** Those of them that identify nobody. */
const ofConnection =
  /^(?:host|connection|keep-alive|transfer-encoding|content-length|accept-encoding|te|expect|upgrade)$/;

function withoutForeignHeaders(
  event: RecordedEvent,
  { keepHeaders: kept, whole = false }: DraftOptions,
): RecordedEvent {
  const { request } = event;
  if (!request) return event;
  const headers = Object.entries(request.headers).filter(
    ([name]) => !transport.test(name) || kept.includes(name) || (whole && ofConnection.test(name)),
  );
  return { ...event, request: { ...request, headers: Object.fromEntries(headers) } };
}

interface BodyOptions extends Pick<DraftOptions, 'withBinary' | 'leftOut'> {
  what: string;
}

function bodyField(bytes: Uint8Array, { withBinary, leftOut, what }: BodyOptions): { body?: RecordedBody } {
  if (bytes.length > KEPT_BYTES) {
    leftOut(`${what} (${formatBytes(bytes.length)})`);
    return {};
  }
  const read = bodyOfBytes(bytes);
  if ('base64' in read && !withBinary) {
    leftOut(`${what}, which is not text (add it with --with-binary)`);
    return {};
  }
  const body = toRecordedBody(read);
  return body === undefined ? {} : { body };
}

function draftRequest(
  request: LoggedCall['outbound'][number],
  options: DraftOptions,
): Omit<RecordedRequest, 'ms'> {
  const { method, url, status, requestBytes } = request;
  if (!request.request && (status !== 0 || requestBytes > 0))
    options.leftOut(`the headers and bodies of ${method} ${url}, because the log does not contain them`);
  return {
    send: `${method} ${url}`,
    ...keepSentHeaders(request.request?.headers ?? []),
    ...messageBody(request.request, `the body of ${method} ${url}`, options),
    answer: answerOf(request, options),
  };
}

function answerOf(request: LoggedCall['outbound'][number], options: DraftOptions): RecordedRequest['answer'] {
  const { method, url, status, error = '', aborted, code, finalUrl, response } = request;
  const known = code ?? /\b(?:E[A-Z]{4,}|UND_ERR_[A-Z_]+)\b/.exec(error)?.[0];
  const failure: BrokenBody =
    aborted || isOldAbort(error)
      ? { hangs: true }
      : {
          error: error.replace(/^(?:fetch failed|terminated): /, ''),
          ...(known !== undefined && { code: known }),
        };
  if (status === 0) return failure;
  return {
    status,
    ...(options.whole ? headersField : keepHeaders)(response?.headers ?? []),
    ...(error === ''
      ? messageBody(response, `the response to ${method} ${url}`, options)
      : { breaks: failure }),
    ...(finalUrl !== undefined && { url: finalUrl }),
  };
}

/** State saved by an older version contains the reason only as text. */
const isOldAbort = (error: string): boolean => /^(?:This|The) operation was aborted/.test(error);

function messageBody(
  message: OutboundMessage | undefined,
  what: string,
  options: DraftOptions,
): { body?: RecordedBody; leftOut?: string } {
  const { body } = message ?? {};
  if (!body) return {};
  if (body.cut) {
    options.leftOut(`${what}, of which only the beginning is in the log`);
    return {};
  }
  return bodyField(Buffer.from(body.content, body.encoding), { ...options, what });
}
