import type { Style } from '../../../terminal/style.js';
import type { Attempt, Delivery } from '../../../webhooks/queue/delivery.js';

/** `request 1  500  12 ms  again in 1.0 s` */
export function renderAttempt(
  { attempt, delivery }: { attempt: Attempt; delivery: Delivery },
  { now, fast }: { now: number; fast: boolean },
  style: Style,
): string {
  const { number, durationMs, result } = attempt;
  const outcome =
    result.kind === 'answer'
      ? String(result.status)
      : result.kind === 'error'
        ? `${result.error}: ${result.message}`
        : 'interrupted';
  const { dueAt } = delivery;
  const wait = `${(Math.max(0, (dueAt ?? now) - now) / 1000).toFixed(1)} s`;
  const again = dueAt === undefined ? '' : fast ? `  again at once, not in ${wait}` : `  again in ${wait}`;
  const paint = delivery.state === 'delivered' ? style.green : style.yellow;
  return `  request ${number}  ${paint(outcome)}  ${style.dim(`${Math.round(durationMs)} ms${again}`)}`;
}
