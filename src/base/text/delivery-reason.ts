/** The fields of a delivery and its last attempt that explain why the delivery is waiting or has failed. */
interface Attempted {
  delivery: { state: string; dueAt?: number | undefined };
  attempt: { result: { kind: string; status?: number; error?: string; message?: string } } | undefined;
}

/**
 * Returns a reason such as `refused: nothing is listening on 127.0.0.1:1; next try in 2 s`. Returns undefined if the delivery
 * has neither failed nor been held.
 */
export function deliveryReason({ delivery, attempt }: Attempted, now: number): string | undefined {
  const { state, dueAt } = delivery;
  if (state === 'held') return 'its endpoint is disabled, or its installation is paused';
  if (!attempt && state === 'failed') return 'its endpoint was removed, or disabled for too long';
  if (!attempt || state === 'delivered') return undefined;
  const next = state === 'retrying' && dueAt !== undefined ? `; next try in ${seconds(dueAt - now)}` : '';
  return `${describeResult(attempt.result)}${next}`;
}

export function describeResult({
  kind,
  status,
  error,
  message = '',
}: NonNullable<Attempted['attempt']>['result']): string {
  if (kind === 'answer')
    return message === '' ? `the receiver responded with ${status}` : `${status}: ${message}`;
  if (kind === 'interrupted') return 'the platform stopped during the request';
  const [, host] = /(?<!\S)(\S+:\d+)$/.exec(message) ?? [];
  if (error === 'refused' && host !== undefined) return `refused: nothing is listening on ${host}`;
  return `${error}: ${message}`;
}

/** Describes the result of the newest of several deliveries that failed with the same status. Their messages may differ. */
export function describeGroup(newest: NonNullable<Attempted['attempt']>['result']): string {
  if (newest.kind !== 'answer' || newest.message === undefined) return describeResult(newest);
  const { message, ...result } = newest;
  return `${describeResult(result)}, latest: ${message}`;
}

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 100) / 10)} s`;

interface Health {
  requests: number;
  succeeded: number;
  p95Ms?: number;
  lastFailure?: { delivery: string; startedAt: number; result: NonNullable<Attempted['attempt']>['result'] };
}

/**
 * Returns a description such as `48 of 50 requests succeeded (96%), p95 120 ms`, with a second line about the last
 * failure.
 */
export function describeHealth(
  { requests, succeeded, p95Ms, lastFailure }: Health,
  time: (at: number) => string,
): string[] {
  if (requests === 0) return ['no requests yet'];
  // Rounded down, so that 99.6% is not shown as 100%.
  const rate = Math.floor((100 * succeeded) / requests);
  const p95 = p95Ms === undefined ? '' : `, p95 ${Math.round(p95Ms)} ms`;
  return [
    `${succeeded} of ${requests === 1 ? '1 request' : `${requests} requests`} succeeded (${rate}%)${p95}`,
    ...(lastFailure
      ? [
          `last failure ${time(lastFailure.startedAt)}, ${lastFailure.delivery}: ${describeResult(lastFailure.result)}`,
        ]
      : []),
  ];
}
