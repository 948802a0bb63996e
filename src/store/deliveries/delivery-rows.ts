import { resultOf } from '../../webhooks/model/delivery-states.js';
import type { Attempt, AttemptResult, SentRequest } from '../../webhooks/model/delivery.js';
import { fromBlob, toBlob, type Bindable, type Cell } from '../sqlite/sqlite.js';

const columnsWith = (state: string): string =>
  `id, endpoint, installation, event_id, event_type, ${state}, phase, created_at, due_at, finished_at, attempts, requests, crashes, body_bytes, resent_from`;
export const deliveryColumns = columnsWith('state');

/** A field of an endpoint, or null if its row is corrupt. */
const storedField = (name: string): string =>
  `CASE WHEN json_valid(CAST(value AS TEXT)) THEN json_extract(CAST(value AS TEXT), '$.${name}') END`;
export const storedUrl = storedField('url');

export const ofDisabled = `EXISTS (
  SELECT 1 FROM webhook_endpoint WHERE id = delivery.endpoint AND ${storedField('enabled')} = 0)`;
/** Whether a delivery waits until its endpoint is enabled, or its installation resumed. */
export const isHeld = `phase = 'waiting' AND (installation IN (SELECT id FROM paused_installation) OR ${ofDisabled})`;
export const shownState = `CASE WHEN ${isHeld} THEN 'held' ELSE state END`;

export const stateColumns = columnsWith(shownState);

/** Includes the URL, which only reads need. */
export const shownColumns = `${stateColumns}, ifnull(url, (
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
