import { parseJson } from '../../../base/parse-json.js';
import type {
  OutboundCall,
  OutboundDetails,
  OutboundMessage,
} from '../../../protocol/log-and-outbound-types.js';
import type { CallRecord } from '../../../store/calls/call-log.js';
import { isObject } from '../../http/read-json.js';
import { scriptResponse, type DraftStep, type StepReader } from './draft-step.js';
import { factsOf, readFields } from './read-fields.js';

interface Outbound {
  /** The index of the request within the call. */
  index: number;
  request: OutboundCall;
  details: OutboundDetails | undefined;
}

/**
 * Returns the steps of the call that the provider redirects to: exchanging the code for a token, running
 * `extractCredentials`, and storing the credentials.
 */
export const exchangeSteps = (back: CallRecord, read: StepReader): DraftStep[] =>
  stepsFrom(exchangeOf(back, read), back, read);

/** Returns the same steps for a call that refreshed its token, which any later call may do. */
export function refreshSteps(call: CallRecord, read: StepReader): DraftStep[] {
  // Most calls send no POST request, so nothing else needs to be checked.
  if (call.outbound.every(({ method }) => method !== 'POST')) return [];
  const refresh = outboundOf(call, read).find((one) => grantOf(one) === 'refresh_token');
  return stepsFrom(refresh, call, read);
}

function stepsFrom(exchange: Outbound | undefined, back: CallRecord, read: StepReader): DraftStep[] {
  if (!exchange) return [];
  const rest = outboundOf(back, read).slice(exchange.index + 1);
  const store = rest.find(({ request }) => isStore(request, back));
  return [
    exchangeStep(back, exchange),
    extractStep(back, { exchange, store, end: rest[0]?.request.time }, read),
    storeStep(back, store),
  ];
}

/** Finds the token request by its body. If no body matches, returns the first POST request to another service. */
export function exchangeOf(back: CallRecord, read: StepReader): Outbound | undefined {
  const outside = outboundOf(back, read).filter(
    ({ request }) => request.method === 'POST' && !isApi(request, back),
  );
  return outside.find((one) => grantOf(one) === 'authorization_code') ?? outside[0];
}

const grantOf = ({ details }: Outbound): unknown => readFields(details?.request)['grant_type'];

const outboundOf = (back: CallRecord, read: StepReader): Outbound[] =>
  back.outbound.map((request, index) => ({ index, request, details: read.details(back, index) }));

const isApi = ({ url }: OutboundCall, { environment }: CallRecord): boolean =>
  environment !== undefined && url.startsWith(`${environment.apiEndpoint}/`);

const isStore = (request: OutboundCall, back: CallRecord): boolean =>
  isApi(request, back) && request.method === 'PATCH';

function exchangeStep(back: CallRecord, { index, request, details }: Outbound): DraftStep {
  const fields = readFields(details?.response);
  const { error, error_description: description, ok } = fields;
  const refused = request.status >= 400 || (error !== undefined && !fields['access_token']) || ok === false;
  const unreadable = whyUnreadable(details?.response);
  const step = {
    name: 'exchange' as const,
    call: back.id,
    outbound: index,
    time: request.time,
    durationMs: request.durationMs,
    sent: factsOf({ request: `${request.method} ${request.url}`, ...readFields(details?.request) }),
    received: factsOf({
      status: request.status || undefined,
      'content type': contentTypeOf(details?.response),
      ...fields,
      ...(unreadable && {
        'body begins with': details?.response?.body?.content.trim().slice(0, longestBeginning),
      }),
    }),
  };
  if (request.error !== undefined) {
    const reason = `${request.method} ${request.url}: ${request.error}`;
    return { ...step, state: 'failed', verdict: 'no response', reason, hint: 'Check accessTokenURL.' };
  }
  const why = [error, description].filter((part) => typeof part === 'string').join(': ');
  const reason = `The token endpoint responded with ${request.status}${why && `: ${why}`}`;
  if (unreadable) {
    const shown = why ? reason : `${reason} and ${unreadable}.`;
    return { ...step, state: 'failed', verdict: unreadable, reason: shown, hint: 'Check accessTokenURL.' };
  }
  if (!refused)
    return {
      ...step,
      state: 'done',
      verdict: fields['access_token'] ? 'access token received' : `${request.status}`,
    };
  const hint = hints[String(error)];
  const verdict = typeof error === 'string' ? error : `${request.status}`;
  return { ...step, state: 'failed', verdict, reason, ...(hint !== undefined && { hint }) };
}

const longestBeginning = 300;

const contentTypeOf = (message: OutboundMessage | undefined): string | undefined =>
  message?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];

/** Returns why a body contains no fields, or undefined if it does contain fields or was only partly recorded. */
function whyUnreadable(message: OutboundMessage | undefined): string | undefined {
  if (!message?.body || message.body.cut || Object.keys(readFields(message)).length > 0) return undefined;
  const { content, encoding } = message.body;
  if (encoding !== 'utf-8') return 'binary data instead of JSON';
  if (content.trim() === '') return 'an empty body instead of JSON';
  if (parseJson(content, undefined) !== undefined) return undefined;
  const isHtml = /^\s*<(!doctype|html)/i.test(content) || contentTypeOf(message)?.includes('html') === true;
  return `${isHtml ? 'HTML' : 'text'} instead of JSON`;
}

const hints: Readonly<Record<string, string>> = {
  invalid_grant:
    'Connect again. A code can be used only once and for a short time, and a refresh token can be revoked.',
  invalid_client:
    "Check clientId and clientSecret. Some providers expect them in an Authorization header: set clientAuthentication to 'basic'.",
};

function extractStep(
  back: CallRecord,
  { exchange, store, end }: { exchange: Outbound; store: Outbound | undefined; end: number | undefined },
  read: StepReader,
): DraftStep {
  const { request, details } = exchange;
  const time = request.time + request.durationMs;
  const until = end ?? (back.durationMs === undefined ? undefined : back.time + back.durationMs);
  const step = {
    name: 'extract' as const,
    call: back.id,
    time,
    ...(until !== undefined && { durationMs: Math.max(0, until - time) }),
    sent: factsOf({ fields: Object.keys(readFields(details?.response)).join(', ') }),
    received: changeFacts(store),
  };
  if (store) return { ...step, state: 'done', verdict: 'credentials extracted' };
  if (back.outcome === 'running') return { ...step, state: 'running' };
  if (back.outcome === 'failed') return { ...step, state: 'failed' };
  if ((back.response?.status ?? 0) >= 400)
    return { ...step, state: 'failed', reason: scriptResponse(back, read) };
  return {
    ...step,
    state: 'done',
    verdict: 'nothing stored',
    hint: "The script didn't store anything through the API.",
  };
}

function storeStep(back: CallRecord, store: Outbound | undefined): DraftStep {
  if (!store) return { name: 'store', state: 'not-reached', sent: [], received: [] };
  const { index, request, details } = store;
  const { status: installation } = readFields(details?.response);
  const step = {
    name: 'store' as const,
    call: back.id,
    outbound: index,
    time: request.time,
    durationMs: request.durationMs,
    sent: [
      ...factsOf({ request: `${request.method} ${new URL(request.url).pathname}` }),
      ...changeFacts(store),
    ],
    received: factsOf({ status: request.status || undefined, installation }),
  };
  if (request.error !== undefined) return { ...step, state: 'failed', reason: request.error };
  if (back.outcome === 'failed') return { ...step, state: 'failed' };
  const verdict = String(request.status);
  if (request.status < 400) return { ...step, state: 'done', verdict };
  return { ...step, state: 'failed', verdict, reason: `The API responded with ${request.status}.` };
}

/** Returns what the script changed in the installation, one property per line. */
function changeFacts(store: Outbound | undefined) {
  const { configuration, ...others } = readFields(store?.details?.request);
  const values = isObject(configuration) ? Object.entries(configuration) : [];
  return factsOf({
    ...Object.fromEntries(values.map(([name, value]) => [`configuration.${name}`, value])),
    ...others,
  });
}
