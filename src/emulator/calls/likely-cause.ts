import { readThrownError } from '../../base/text/thrown-error.js';
import { nearest } from '../../base/did-you-mean.js';
import type { Integration } from '../../protocol/integration.js';
import { isFailedRequest } from '../../protocol/failed-request.js';
import type { OutboundCall } from '../../protocol/log-and-outbound-types.js';
import type { CallRecord } from '../../store/calls/call-log.js';

/** Facts about the integration that are known to the platform but not to the script. */
export type Declared = Pick<Integration, 'blocks' | 'configurations' | 'unsetSecrets'> & {
  /** How many milliseconds the clock is ahead of the machine's. */
  clockAhead?: number;
};

const ofJson = /is not valid JSON|HTML instead of JSON|Unexpected (?:token|end of JSON)|JSON\.parse/;
const ofTokenPage = /^OAuthError: .*: HTML instead of JSON/;
/** Errors that no response explains: `fetch` errors contain their cause, and the others are problems in the code. */
const ofItself =
  /\bfetch failed\b|^ReferenceError|Assignment to constant|is not a constructor|^RangeError|Invalid URL/;
const reading = /\bawait\b|\bfetch\(|\.json\(/;
const handling = /\.(?:ok|status)\b|\bcatch\b/;
const ofNothing = /\b(?:undefined|null)\b/;

const isRejection = (status?: number): boolean => status === 401 || status === 403;
/** Receivers accept signatures that are a few minutes old. */
const noticedMs = 60_000;

/** Explains a rejected request if the clock was moved, because services outside compare times with the real time. */
export const causeOfMovedClock = (
  { response, outbound }: CallRecord,
  { clockAhead = 0 }: Declared,
): string | undefined =>
  Math.abs(clockAhead) > noticedMs &&
  (isRejection(response?.status) || outbound.some(({ status }) => isRejection(status)))
    ? 'The clock was moved, so signatures and tokens of other services may look expired. To use the real time, run: platform clock real'
    : undefined;

/**
 * If the error of a failed call is only a symptom, guesses the cause and suggests a fix. Returns undefined if the recorded
 * data does not explain the error.
 */
export function likelyCause(call: CallRecord, error: string, declared: Declared): string | undefined {
  if (call.event?.type === 'ui_render' && error === `Component ${call.event.componentId} not found`)
    return ofUnknownComponent(call.event.componentId, declared);
  const scope = call.problems?.find(({ code }) => code === 'missing-scope');
  if (scope && !error.includes(scope.message))
    return `${scope.message} Add the scope to platform-manifest.yaml.`;
  const last = call.outbound.at(-1);
  const failed = last && isFailedRequest(last) ? last : undefined;
  if (ofJson.test(error)) return ofInvalidJson(error, failed, last);
  // Considers only values whose names occur in the failing code, because others may be empty on purpose.
  const { isOnLine, isAround, run } = mentionedIn(call, error);
  const { unsetSecrets = [] } = declared;
  const properties = ofNothing.test(error) ? missingProperties(call, declared) : [];
  const mentioned = (names: readonly string[]): string | undefined =>
    names.find(isOnLine) ??
    // Names on the failing line come first, because that line explains the error better than the lines around it.
    ([...unsetSecrets, ...properties].some(isOnLine) ? undefined : names.find(isAround));
  const isRejected = isRejection(failed?.status);
  // A failed request is a more likely cause than a secret that occurs only in the lines around the error.
  const ofSecret = failed ? unsetSecrets.find(isOnLine) : mentioned(unsetSecrets);
  const secret = isRejected ? unsetSecrets[0] : ofSecret;
  if (secret !== undefined) return `The secret ${secret} has no value. Set its variable in .env.`;
  if (failed?.error?.includes('does not use TLS'))
    return `${new URL(failed.url).host} does not use TLS. Change https:// to http:// in the URL.`;
  const property = failed ? properties.find(isOnLine) : mentioned(properties);
  if (property !== undefined)
    return `This installation has no value for ${property}. Set it with: platform config set ${property}=<value>`;
  return failed && explains(error, run) ? `${described(failed)}.` : undefined;
}

/** A failed request explains a wrong type only where its response is read, and where nothing checks the response. */
const explains = (error: string, run: readonly string[]): boolean =>
  !ofItself.test(error) &&
  (!error.startsWith('TypeError') ||
    (run.some((code) => reading.test(code)) && !run.some((code) => handling.test(code))));

function ofUnknownComponent(
  component: string,
  { blocks, configurations: { account, site, space } }: Declared,
): string | undefined {
  const screens = [account, site, space].flatMap((section) => section?.componentId ?? []);
  const known = [...new Set([...blocks.map(({ id }) => id), ...screens])];
  if (known.includes(component))
    return `${component} is in the manifest. Add it to components in the script.`;
  const close = nearest(component, known);
  if (close !== undefined) return `Did you mean ${close}?`;
  return known.length > 0 ? `The manifest declares these components: ${known.join(', ')}.` : undefined;
}

function ofInvalidJson(
  error: string,
  failed: OutboundCall | undefined,
  last: OutboundCall | undefined,
): string | undefined {
  if (failed) return `${described(failed)}, so its body was probably not JSON.`;
  if (!last) return undefined;
  if (ofTokenPage.test(error))
    return `${last.method} ${last.url} responded with an HTML page, so it is probably not the token endpoint. Check accessTokenURL.`;
  const found = /Unexpected token '?</.test(error)
    ? 'HTML instead of JSON'
    : /Unexpected end of JSON/.test(error)
      ? 'an incomplete or empty body'
      : 'a body that is not JSON';
  return `${last.method} ${last.url} probably responded with ${found}.`;
}

const described = ({ method, url, status, error }: OutboundCall): string =>
  status === 0
    ? `${method} ${url} received no response (${error})`
    : `${method} ${url} responded with ${status}`;

/** Checks whether a name occurs in the error or on the failing line, and whether it occurs in the lines around it. */
function mentionedIn(
  { logs }: CallRecord,
  error: string,
): { isOnLine(name: string): boolean; isAround(name: string): boolean; run: string[] } {
  const { text = '', frame } = logs.find((line) => line.frame) ?? {};
  const { lines = [], firstLine = 1 } = frame ?? {};
  const { position } = readThrownError(text);
  const line = position && lines[position.line - firstLine];
  // Unless the error is about a missing value, leaves out the code below the line, which has not run yet and so cannot be
  // the cause.
  const run = position && !ofNothing.test(error) ? lines.slice(0, position.line - firstLine + 1) : lines;
  return {
    isOnLine: (name) => error.includes(name) || line?.includes(name) === true,
    run,
    isAround: (name) => run.some((other) => other.includes(name)),
  };
}

/** Returns the declared properties that have neither a value nor a default. */
function missingProperties({ environment }: CallRecord, { configurations }: Declared): string[] {
  const given = environment?.installation?.configuration;
  if (!given) return [];
  return Object.entries(configurations.account?.properties ?? {}).flatMap(([name, property]) =>
    property.type !== 'button' && property.default === undefined && given[name] === undefined ? [name] : [],
  );
}
