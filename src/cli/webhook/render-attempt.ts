import type { Style } from '../../diagnostics/style.js';
import type { Attempt, Delivery } from '../../webhooks/delivery.js';

/** `request 1  500  12 ms  again in 1.0 s` */
export function renderAttempt(
  { attempt, delivery }: { attempt: Attempt; delivery: Delivery },
  now: number,
  style: Style,
): string {
  const { number, durationMs, result } = attempt;
  const outcome =
    result.kind === 'answer'
      ? String(result.status)
      : result.kind === 'error'
        ? `${result.error}: ${result.message}`
        : 'interrupted';
  const again =
    delivery.dueAt === undefined
      ? ''
      : `  again in ${(Math.max(0, delivery.dueAt - now) / 1000).toFixed(1)} s`;
  const paint = delivery.state === 'delivered' ? style.green : style.yellow;
  return `  request ${number}  ${paint(outcome)}  ${style.dim(`${Math.round(durationMs)} ms${again}`)}`;
}
