import { signatureHeader } from '../../protocol/signature.js';
import { deliveryOf, deliveryOrder, resultOf } from '../../webhooks/model/delivery-states.js';
import type { Attempt, AttemptResult, Delivery, SentRequest } from '../../webhooks/model/delivery.js';
import type { Tables } from './tables.js';

export const toBytes = (text: string): Buffer => Buffer.from(text);

/** Returns SQL that converts a timestamp column to milliseconds since the epoch. */
export const milliseconds = (column: string): string => `extract(epoch from ${column})::float8 * 1000`;

const count = 'coalesce(array_length(history, 1), 0)';
const sameInBoth = `${count} as attempts, ${count} as requests, starts, octet_length(body) as body_bytes, resent_from`;

/** The worker parks the deliveries of an endpoint that is disabled or whose installation is paused. */
export const pendingState =
  "case when parked then 'held' when attempt = 0 then 'pending' else 'retrying' end";

/** Both columns are parsed as JSON in JavaScript, because Postgres cannot extract text that contains a NUL. */
const addressColumns = (endpointList: string): string =>
  `history[array_length(history, 1)] as last, (select e.url from ${endpointList} e where e.id = endpoint) as url`;

/** The columns that `toDelivery` converts. */
export const pendingColumns = ({
  endpointList,
}: Tables): string => `id, endpoint, installation, event_id, event_type, ${pendingState} as state, 'waiting' as phase, created_at,
  ${milliseconds('due')} as due, null::float8 as finished, ${sameInBoth}, ${addressColumns(endpointList)}`;

export const doneColumns = ({
  endpointList,
}: Tables): string => `id, endpoint, installation, event_id, event_type, state, 'done' as phase, created_at, null::float8 as due,
  ${milliseconds('finished_at')} as finished, ${sameInBoth}, ${addressColumns(endpointList)}`;

export function toDelivery(row: readonly unknown[]): Delivery {
  const [last, current] = row.slice(-2);
  return deliveryOf([...row.slice(0, -2), (last as KeptAttempt | null)?.request?.url ?? current]);
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
  const result = resultOf({ ...kept, body: new Uint8Array(Buffer.from(kept.response ?? '', 'base64')) });
  return { number, startedAt, durationMs, ...(request && { request }), result };
}

/** Returns the number in a delivery id, or undefined if the id is invalid. */
export const orderOf = (id: string): number | undefined => deliveryOrder(id) || undefined;

/** Returns an insert into `done` that moves the selected rows of `pending`. */
export const insertDone = (
  { done }: Tables,
  {
    from,
    state,
    history = 'history',
    body = 'body',
  }: Record<'from' | 'state', string> & { history?: string; body?: string },
): string => `insert into ${done} (id, finished_at, created_at, resent_from, starts, state, endpoint, installation,
    event_id, event_type, history, body, keyed, traceparent)
  select id, now(), created_at, resent_from, starts, ${state}, endpoint, installation, event_id, event_type,
    ${history}, ${body}, keyed, traceparent from ${from} on conflict do nothing`;
