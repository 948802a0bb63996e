import type { Style } from '../../terminal/style.js';
import { paintOutcome } from './outcome-color.js';

/** A body as the platform's API gives it. */
export interface TextBody {
  encoding: 'utf-8' | 'base64';
  content: string;
}

export interface TriggerAnswer {
  event: { type: string; eventId: string };
  fired: {
    outcome: 'ok' | 'failed' | 'no-handler' | 'withheld';
    call?: string;
    status?: number;
    body?: TextBody;
    reason?: string;
  };
  deliveries: string[];
}

/** `space_view  200  call_…`, and what went wrong under it. */
export function renderFired({ event, fired, deliveries }: TriggerAnswer, style: Style): string {
  const verdict = paintOutcome(fired, style);
  const lines = [`${style.bold(event.type)}  ${verdict}  ${style.dim(fired.call ?? event.eventId)}`];
  if (fired.outcome === 'failed' && fired.body) lines.push(`  ${fired.body.content}`);
  if (fired.outcome === 'failed' && fired.call)
    lines.push(style.dim(`  platform inspect ${fired.call} shows what happened.`));
  if (deliveries.length > 0) lines.push(style.dim(`  webhook ${deliveries.join(', ')}`));
  return lines.join('\n');
}
