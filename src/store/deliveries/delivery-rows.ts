import { resultOf } from '../../webhooks/model/delivery-states.js';
import type { Attempt, AttemptResult, SentRequest } from '../../webhooks/model/delivery.js';
import { fromBlob, toBlob, type Bindable, type Cell } from '../sqlite/sqlite.js';

export const deliveryColumns =
  'id, endpoint, installation, event_id, event_type, state, phase, created_at, due_at, finished_at, attempts, requests, crashes, body_bytes, resent_from';

/** The URL of an endpoint, or null if its row is corrupt. */
export const storedUrl = `CASE WHEN json_valid(CAST(value AS TEXT)) THEN json_extract(CAST(value AS TEXT), '$.url') END`;

/** Includes the URL, which only reads need. */
export const shownColumns = `${deliveryColumns}, ifnull(url, (
  SELECT ${storedUrl} FROM webhook_endpoint WHERE id = delivery.endpoint))`;

/** The values for `status, error, detail, answer`. */
export function fromResult(result: AttemptResult): Bindable[] {
  if (result.kind === 'answer') return [result.status, null, null, result.body];
  if (result.kind === 'error') return [null, result.error, toBlob(result.message), null];
  return [null, 'interrupted', null, null];
}

export const attemptColumns = 'number, started_at, duration_ms, request, status, error, detail, answer';

export function toAttempt([number, startedAt, durationMs, request = null, ...result]: Cell[]): Attempt {
  const [status, error, detail, answer] = result;
  const body = answer instanceof Uint8Array ? answer : new Uint8Array();
  return {
    number: Number(number),
    startedAt: Number(startedAt),
    durationMs: Number(durationMs),
    ...(request !== null && { request: JSON.parse(fromBlob(request)) as SentRequest }),
    result: resultOf({ status, error, message: fromBlob(detail), body }),
  };
}
