import type { OutboundDetails, OutboundMessage } from '../../protocol/log-and-outbound-types.js';
import { hiddenSecret } from '../../protocol/mask-secrets.js';
import { KEPT_BYTES } from '../../sandbox/observe/beginning-of-body.js';
import type { OutboundExchange, SentMessage } from '../../sandbox/script/script-host.js';
import type { CallRecord } from '../../store/calls/call-log.js';
import type { Secrets } from '../state/platform-secrets.js';

/** Returns what to store about an outbound request, without secrets and with only the beginning of a long body. */
export function outboundDetails({ request, response }: OutboundExchange, secrets: Secrets): OutboundDetails {
  return {
    request: messageOf(request, secrets),
    ...(response && { response: messageOf(response, secrets) }),
  };
}

function messageOf({ headers, body, cut }: SentMessage, secrets: Secrets): OutboundMessage {
  const known = body !== undefined || cut;
  return {
    headers: secrets.maskValue(headers.map(maskHeader)),
    ...(known && { body: bodyOf(Buffer.from(body ?? '', 'base64'), cut === true, secrets) }),
  };
}

/** Masks secrets before truncating, because part of a secret would not be recognized. */
function bodyOf(
  bytes: Uint8Array,
  isBeginning: boolean,
  secrets: Secrets,
): NonNullable<OutboundMessage['body']> {
  const masked = secrets.maskBytes(bytes);
  const cut = (isBeginning || bytes.length > KEPT_BYTES) && { cut: true as const };
  const kept = masked.subarray(0, bytes.length > KEPT_BYTES ? KEPT_BYTES : undefined);
  const text = textOf(kept, cut !== false);
  return text === undefined
    ? { encoding: 'base64', content: Buffer.from(kept).toString('base64'), ...cut }
    : { encoding: 'utf-8', content: maskCredentials(text), ...cut };
}

/** Decodes text. If it was cut off in the middle of a character, drops that character. */
function textOf(bytes: Uint8Array, cut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}

/**
 * Returns a call's event and request without secrets or authorization codes. Few calls contain a secret, so searching the
 * text once is usually enough.
 */
export function maskedStart(
  { event, request }: Pick<CallRecord, 'event' | 'request'>,
  secrets: Secrets,
): Pick<CallRecord, 'event' | 'request'> {
  const kept = {
    event: event?.type === 'fetch' ? withoutCode(event) : event,
    ...(request && { request: { ...request, url: maskAuthorizationCode(request.url) } }),
  };
  // The event for a request also contains the request's headers.
  const searched = event && 'request' in event ? [event, request?.url] : kept;
  return secrets.occurIn(searched) ? secrets.maskValue(kept) : kept;
}

type FetchEvent = Extract<NonNullable<CallRecord['event']>, { type: 'fetch' }>;

function withoutCode(event: FetchEvent): FetchEvent {
  const url = maskAuthorizationCode(event.request.url);
  return url === event.request.url ? event : { ...event, request: { ...event.request, url } };
}

/**
 * Fields with these names contain only tokens. Other services' tokens are secret even if the manifest does not declare them.
 */
const fields = '(?:access_token|refresh_token|id_token|client_secret|code_verifier)';
/** Scripts read the claims of a JSON Web Token, so only its signature is masked. */
const claims = '((?:eyJ[\\w-]{1,5000}\\.eyJ[\\w-]{1,20000}\\.)?)';
const inJson = new RegExp(`("${fields}"\\s*:\\s*")${claims}(?:[^"\\\\]|\\\\.)*`, 'g');
const inForm = new RegExp(`((?:^|&)${fields}=)${claims}[^&\\s]*`, 'g');

/** Masks credentials sent to or received from a token endpoint. */
function maskCredentials(text: string): string {
  const masked = text.replaceAll(inJson, `$1$2${hiddenSecret}`).replaceAll(inForm, `$1$2${hiddenSecret}`);
  if (!exchangesCode.test(text)) return masked;
  return masked.replace(codeInJson, `$1${hiddenSecret}`).replace(codeInForm, `$1${hiddenSecret}`);
}

/** Masks `code` only in this exchange, because `code` fields are rarely secret anywhere else. */
const exchangesCode = /(?:^|&)grant_type=authorization_code(?:&|$)|"grant_type"\s*:\s*"authorization_code"/;
const codeInJson = /("code"\s*:\s*")(?:[^"\\]|\\.)*/;
const codeInForm = /((?:^|&)code=)[^&\s]*/;

/** Masks the authorization code in the OAuth redirect URL. */
const maskAuthorizationCode = (url: string): string =>
  /[?&]state=/.test(url) ? url.replace(/([?&]code=)[^&#]*/, `$1${hiddenSecret}`) : url;

const secretHeaders = new Set(['cookie', 'set-cookie', 'x-api-key']);
const schemes = new Set(['authorization', 'proxy-authorization']);

/** Masks the value of a header whose name shows that it is secret, but keeps the authorization scheme. */
function maskHeader([name, value]: [string, string]): [string, string] {
  const key = name.toLowerCase();
  if (secretHeaders.has(key)) return [name, hiddenSecret];
  if (!schemes.has(key)) return [name, value];
  const space = value.indexOf(' ');
  return [name, space < 0 ? hiddenSecret : `${value.slice(0, space)} ${hiddenSecret}`];
}
