import type { Output } from '../../../contract/console-api.js';
import type { AttemptResource } from '../../../contract/routes/webhooks.js';
import type { Style } from '../../../terminal/style.js';
import { clockTime } from '../../session/call-words.js';
import { deliveryReason, describeResult } from '../../session/delivery-reason.js';

/** One delivery: why it waits or failed, its attempts with what the receiver responded, and its body. */
export function renderDelivery(
  { delivery, attempts, body }: Output<'GET /deliveries/{delivery}'>,
  style: Style,
  now: number,
): string {
  const { id, state, eventType, eventId, endpointId } = delivery;
  const why = deliveryReason({ delivery, attempt: attempts.at(-1) }, now);
  return [
    `${style.bold(eventType)}  ${state}`,
    style.dim(`${id}  ${eventId} to ${endpointId}`),
    ...(why === undefined ? [] : [`  ${why}`]),
    '',
    style.bold('Attempts'),
    ...(attempts.length > 0 ? attempts.flatMap(renderAttempt) : ['  None yet.']),
    '',
    style.bold('Body'),
    ...indent(body.content),
  ].join('\n');
}

function renderAttempt({ number, startedAt, durationMs, result }: AttemptResource): string[] {
  const head = `  ${number}  ${clockTime(startedAt)}  ${Math.round(durationMs)} ms  ${describeResult(result)}`;
  return result.kind === 'answer' && result.body.content !== ''
    ? [head, ...indent(result.body.content, '     ')]
    : [head];
}

const indent = (text: string, margin = '  '): string[] => text.split('\n').map((line) => `${margin}${line}`);
