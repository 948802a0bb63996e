import { deliveryId } from '../../webhooks/model/delivery-states.js';
import type {
  Attempt,
  AttemptResult,
  Delivery,
  NetworkErrorKind,
  SentRequest,
} from '../../webhooks/model/delivery.js';
import type { ScheduleTime } from '../../webhooks/queue/schedule-time.js';
import { fromBlob, toBlob, type Bindable, type Cell } from '../sqlite/sqlite.js';

export const deliveryColumns =
  'id, endpoint, installation, event_id, event_type, state, phase, created_at, due_at, finished_at, attempts, requests, crashes, body_bytes, resent_from';

/** The URL of an endpoint, or null if its row is corrupt. */
export const storedUrl = `CASE WHEN json_valid(CAST(value AS TEXT)) THEN json_extract(CAST(value AS TEXT), '$.url') END`;

/** Includes the URL, which only reads need. */
export const shownColumns = `${deliveryColumns}, ifnull(url, (
  SELECT ${storedUrl} FROM webhook_endpoint WHERE id = delivery.endpoint))`;

const optional = <Key extends string>(key: Key, cell: Cell | undefined): { [K in Key]?: number } =>
  (cell === null ? {} : { [key]: Number(cell) }) as { [K in Key]?: number };

export function toDelivery(row: Cell[], time: Pick<ScheduleTime, 'shown'>): Delivery {
  const [id, endpoint, installation, eventId, eventType, state, phase, created, due, finished, ...rest] = row;
  const [attempts, requests, crashes, bodyBytes, resentFrom, url = null] = rest;
  return {
    id: deliveryId(Number(id)),
    endpointId: String(endpoint),
    ...(url !== null && { url: fromBlob(url) }),
    installationId: fromBlob(installation),
    eventId: fromBlob(eventId),
    eventType: fromBlob(eventType),
    state: String(state) as Delivery['state'],
    phase: String(phase) as Delivery['phase'],
    createdAt: Number(created),
    ...(due !== null && { dueAt: time.shown(Number(due)) }),
    ...optional('finishedAt', finished),
    attempts: Number(attempts),
    requests: Number(requests),
    crashes: Number(crashes),
    bodyBytes: Number(bodyBytes),
    ...(resentFrom !== null && { resentFrom: deliveryId(Number(resentFrom)) }),
  };
}

/** The values for `status, error, detail, answer`. */
export function fromResult(result: AttemptResult): Bindable[] {
  if (result.kind === 'answer') return [result.status, null, null, result.body];
  if (result.kind === 'error') return [null, result.error, toBlob(result.message), null];
  return [null, 'interrupted', null, null];
}

function toResult([status, error, detail, answer]: Cell[]): AttemptResult {
  if (error === 'interrupted') return { kind: 'interrupted' };
  if (error !== null) return { kind: 'error', error: error as NetworkErrorKind, message: fromBlob(detail) };
  return {
    kind: 'answer',
    status: Number(status),
    body: answer instanceof Uint8Array ? answer : new Uint8Array(),
  };
}

export const attemptColumns = 'number, started_at, duration_ms, request, status, error, detail, answer';

export function toAttempt([number, startedAt, durationMs, request = null, ...result]: Cell[]): Attempt {
  return {
    number: Number(number),
    startedAt: Number(startedAt),
    durationMs: Number(durationMs),
    ...(request !== null && { request: JSON.parse(fromBlob(request)) as SentRequest }),
    result: toResult(result),
  };
}
