/** What of a delivery and its last attempt says why it waits or failed. */
interface Attempted {
  delivery: { state: string; dueAt?: number | undefined };
  attempt: { result: { kind: string; status?: number; error?: string; message?: string } } | undefined;
}

/** `refused: nothing listens on 127.0.0.1:1; next try in 2 s`. Nothing for a delivery without a failed attempt. */
export function deliveryReason({ delivery, attempt }: Attempted, now: number): string | undefined {
  if (!attempt || delivery.state === 'delivered') return undefined;
  const { state, dueAt } = delivery;
  const next = state === 'retrying' && dueAt !== undefined ? `; next try in ${seconds(dueAt - now)}` : '';
  return `${describeResult(attempt.result)}${next}`;
}

/** What came of one request. */
export function describeResult({
  kind,
  status,
  error,
  message = '',
}: NonNullable<Attempted['attempt']>['result']): string {
  if (kind === 'answer') return `the receiver responded with ${status}`;
  if (kind === 'interrupted') return 'the platform ended during the request';
  const [, host] = /(\S+:\d+)$/.exec(message) ?? [];
  if (error === 'refused' && host !== undefined) return `refused: nothing listens on ${host}`;
  return `${error}: ${message}`;
}

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 100) / 10)} s`;
