import type { Attempt } from './model/delivery.js';

interface SentDelivery {
  id: string;
  attempts: readonly Attempt[];
}

export interface EndpointHealth {
  requests: number;
  succeeded: number;
  /** When the first of these requests started. */
  since?: number;
  /** 95% of the finished requests took at most this long, in milliseconds. */
  p95Ms?: number;
  lastFailure?: { delivery: string; attempt: Attempt };
}

/** Summarizes the results of the requests sent for these deliveries. */
export function healthOf(deliveries: readonly SentDelivery[]): EndpointHealth {
  const requests = deliveries
    .flatMap(({ id, attempts }) => attempts.map((attempt) => ({ delivery: id, attempt })))
    .toSorted((one, other) => one.attempt.startedAt - other.attempt.startedAt);
  const durations = requests
    .filter(({ attempt }) => attempt.result.kind !== 'interrupted')
    .map(({ attempt }) => attempt.durationMs)
    .toSorted((one, other) => one - other);
  const p95Ms = durations[Math.ceil(durations.length * 0.95) - 1];
  const lastFailure = requests.findLast(({ attempt }) => !hasSucceeded(attempt));
  return {
    requests: requests.length,
    succeeded: requests.filter(({ attempt }) => hasSucceeded(attempt)).length,
    ...(requests[0] && { since: requests[0].attempt.startedAt }),
    ...(p95Ms !== undefined && { p95Ms }),
    ...(lastFailure && { lastFailure }),
  };
}

const hasSucceeded = ({ result }: Attempt): boolean =>
  result.kind === 'answer' && result.status >= 200 && result.status < 300;
