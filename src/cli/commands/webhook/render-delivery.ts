import { shellQuote } from '../../../base/text/curl-command.js';
import { visible, visibleLines } from '../../../base/escape-control-characters.js';
import type { Output } from '../../../contract/console-api.js';
import type { BodyResource } from '../../../contract/basics/resources.js';
import type { AttemptResource } from '../../../contract/routes/webhooks.js';
import type { Style } from '../../../terminal/style.js';
import { signatureHeader } from '../../../protocol/signature.js';
import { clockTime } from '../../session/call-words.js';
import type { WebhookHost } from './webhook-host.js';
import { deliveryReason, describeResult } from '../../../base/text/delivery-reason.js';

export function renderDelivery(
  { delivery, attempts, body }: Output<'GET /deliveries/{delivery}'>,
  style: Style,
  now: number,
  command: WebhookHost['command'],
): string {
  const { id, state, eventType, eventId, endpointId, url = endpointId } = delivery;
  const why = deliveryReason({ delivery, attempt: attempts.at(-1) }, now);
  return [
    `${style.bold(visible(eventType))}  ${state}`,
    style.dim(`${id}  ${visible(eventId)} to ${visible(url)}`),
    ...(why === undefined ? [] : [`  ${why}`]),
    ...secretAdvice(delivery, attempts.at(-1), body, command),
    '',
    style.bold('Attempts'),
    ...(attempts.length > 0 ? attempts.flatMap((attempt) => renderAttempt(attempt, style)) : ['  None yet.']),
    '',
    style.bold('Body'),
    ...indent(body.content),
  ].join('\n');
}

/** Receivers respond with 401 or 403 when they reject a signature, usually because their secret is different. */
function secretAdvice(
  { state, endpointId }: Output<'GET /deliveries/{delivery}'>['delivery'],
  last: AttemptResource | undefined,
  body: BodyResource,
  command: WebhookHost['command'],
): string[] {
  const status = last?.result.kind === 'answer' ? last.result.status : 0;
  if (state !== 'failed' || (status !== 401 && status !== 403)) return [];
  return [
    `  The receiver may have a different secret. To see this endpoint's, run: ${command} list ${endpointId}`,
    ...verifyCommand(last, body),
  ];
}

/** The longest body that is still easy to copy from a terminal. */
const copyableLength = 2000;

/** Checks the signature of this attempt with the secret that the receiver uses. */
function verifyCommand(last: AttemptResource | undefined, body: BodyResource): string[] {
  const [, signature] = last?.request?.headers.find(([name]) => name === signatureHeader) ?? [];
  const { encoding, content } = body;
  const isCopyable = encoding === 'utf-8' && content.length <= copyableLength && visible(content) === content;
  if (signature === undefined || !isCopyable)
    return ['  To check the signature below with a secret, run: platform webhook verify --help'];
  const header = shellQuote(visible(signature));
  return [
    "  To check the signature with your receiver's secret, run:",
    `    printf %s ${shellQuote(content)} | platform webhook verify --header ${header} --secret <secret>`,
  ];
}

function renderAttempt(
  { number, startedAt, durationMs, request, result }: AttemptResource,
  style: Style,
): string[] {
  const head = `  ${number}  ${clockTime(startedAt)}  ${Math.round(durationMs)} ms  ${describeResult(result)}`;
  const sent = request && [
    `     POST ${request.url}`,
    ...request.headers.map(([name, value]) => `     ${style.dim(`${name}:`)} ${value}`),
  ];
  const body = result.kind === 'answer' ? result.body.content : '';
  return [head, ...(sent ?? []), ...(body === '' ? [] : ['', ...indent(body, '     '), ''])];
}

const indent = (text: string, margin = '  '): string[] =>
  visibleLines(text).map((line) => `${margin}${line}`);
