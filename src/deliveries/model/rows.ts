import { signatureHeader } from '../../protocol/signature.js';
import { deliveryId, deliveryOrder } from '../../webhooks/model/delivery-states.js';
import type {
  Attempt,
  AttemptResult,
  Delivery,
  DeliveryState,
  SentRequest,
} from '../../webhooks/model/delivery.js';
import type { Tables } from './tables.js';

const fromBytes = (cell: unknown): string => Buffer.from(cell as Uint8Array).toString();
export const toBytes = (text: string): Buffer => Buffer.from(text);

/** Returns SQL that converts a timestamp column to milliseconds since the epoch. */
export const milliseconds = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

const sameInBoth = `coalesce(array_length(history, 1), 0) as attempts, starts, octet_length(body) as body_bytes, resent_from`;

export const pendingState = "case when attempt = 0 then 'pending' else 'retrying' end";

/** Both columns are parsed as JSON in JavaScript, because Postgres cannot extract text that contains a NUL. */
const addressColumns = (endpointList: string): string =>
  `history[array_length(history, 1)] as last, (select e.url from ${endpointList} e where e.id = endpoint) as url`;

/** The columns that `toDelivery` reads. */
export const pendingColumns = ({
  endpointList,
}: Tables): string => `id, endpoint, installation, event_id, event_type, ${pendingState} as state, created_at,
  ${milliseconds('due')} as due, null::float8 as finished, ${sameInBoth}, ${addressColumns(endpointList)}`;

export const doneColumns = ({
  endpointList,
}: Tables): string => `id, endpoint, installation, event_id, event_type, state, created_at, null::float8 as due,
  ${milliseconds('finished_at')} as finished, ${sameInBoth}, ${addressColumns(endpointList)}`;

export function toDelivery(row: readonly unknown[]): Delivery {
  const [id, endpoint, installation, eventId, eventType, state, created, due, finished, ...rest] = row;
  const [attempts, crashes, bodyBytes, resentFrom, last, current] = rest;
  const url = (last as KeptAttempt | null)?.request?.url ?? (current as string | null) ?? undefined;
  return {
    id: deliveryId(Number(id)),
    endpointId: String(endpoint),
    ...(url !== undefined && { url }),
    installationId: fromBytes(installation),
    eventId: fromBytes(eventId),
    eventType: fromBytes(eventType),
    state: state as DeliveryState,
    phase: finished === null ? 'waiting' : 'done',
    createdAt: Number(created),
    ...(due !== null && { dueAt: Number(due) }),
    ...(finished !== null && { finishedAt: Number(finished) }),
    attempts: Number(attempts),
    requests: Number(attempts),
    crashes: Number(crashes),
    bodyBytes: Number(bodyBytes),
    ...(resentFrom !== null && { resentFrom: deliveryId(Number(resentFrom)) }),
  };
}

/** An attempt as stored, which lets SQL read `history[1]->>'status'`. Bytes are encoded as base64. */
interface KeptAttempt {
  number: number;
  startedAt: number;
  durationMs: number;
  request?: SentRequest;
  status?: number;
  response?: string;
  error?: string;
  message?: string;
}

/** Omits the signature, so that read access to the history is not enough to resend the request. */
export function fromAttempt({ result, request, ...times }: Attempt): string {
  const { [signatureHeader]: _, ...headers } = request?.headers ?? {};
  const sent = request && { request: { ...request, headers } };
  return JSON.stringify({ ...times, ...sent, ...fromResult(result) } satisfies KeptAttempt);
}

function fromResult(result: AttemptResult): Partial<KeptAttempt> {
  if (result.kind === 'answer') {
    return { status: result.status, response: Buffer.from(result.body).toString('base64') };
  }
  return result.kind === 'error'
    ? { error: result.error, message: result.message }
    : { error: 'interrupted' };
}

export function toAttempt({ number, startedAt, durationMs, request, ...kept }: KeptAttempt): Attempt {
  return { number, startedAt, durationMs, ...(request && { request }), result: toResult(kept) };
}

function toResult({ status, response, error, message }: Partial<KeptAttempt>): AttemptResult {
  if (status !== undefined) {
    return { kind: 'answer', status, body: new Uint8Array(Buffer.from(response ?? '', 'base64')) };
  }
  if (error === undefined || error === 'interrupted') return { kind: 'interrupted' };
  type Failed = Extract<AttemptResult, { kind: 'error' }>;
  return { kind: 'error', error: error as Failed['error'], message: message ?? '' };
}

/** Returns the number in a delivery id, or undefined if the id is invalid. */
export const orderOf = (id: string): number | undefined => deliveryOrder(id) || undefined;
