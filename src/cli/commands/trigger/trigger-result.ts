import type { FiredEventResource } from '../../../contract/routes/events.js';
import { addressOf, type RequestDraft } from '../../../protocol/compose/call-draft.js';
import type { Output } from '../../../contract/console-api.js';
import type { Style } from '../../../terminal/style.js';
import { renderFailure } from '../../session/render-failure.js';
import { paintOutcome } from '../../session/outcome-color.js';

/** `space_view 200 call_…`, with a failure below it. */
export function renderFired(
  { event, fired, deliveries }: FiredEventResource,
  view: { style: Style; width: number },
): string {
  const { style } = view;
  const verdict = paintOutcome(fired, style);
  const lines = [`${style.bold(event.type)}  ${verdict}  ${style.dim(fired.call ?? event.eventId)}`];
  if (fired.outcome === 'failed')
    lines.push(...(fired.failure ? renderFailure(fired.failure, view) : [`  ${fired.body.content}`]));
  if (fired.outcome === 'failed' && fired.call)
    lines.push(style.dim(`  next: platform inspect ${fired.call}`));
  if (deliveries.length > 0) lines.push(style.dim(`  webhook ${deliveries.join(', ')}`));
  return lines.join('\n');
}

/** `POST /hook 200 call_…`, with a failure below it. */
export function renderSent(
  draft: RequestDraft,
  { call, outcome, status, failure }: Output<'POST /requests'>,
  view: { style: Style; width: number },
): string {
  const { style } = view;
  const verdict = paintOutcome({ outcome, status }, style);
  const lines = [`${style.bold(`${draft.method} ${addressOf(draft)}`)}  ${verdict}  ${style.dim(call)}`];
  if (failure) lines.push(...renderFailure(failure, view), style.dim(`  next: platform inspect ${call}`));
  return lines.join('\n');
}
