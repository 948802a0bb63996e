/**
 * How long reading or sending may stall before the worker no longer counts as ready. Longer than any request can take,
 * because an unresponsive endpoint delays its own requests by 10 s.
 */
const longestMs = 15_000;

export type Readiness =
  | { ready: true }
  | { ready: false; reason: 'no-session' | 'not-reading' | 'not-sending'; message: string };

/** Whether a worker is connected to the database and is reading and sending due deliveries. */
export function readinessOf(worker: {
  connected: boolean;
  sinceReadMs: number;
  stalledMs: number;
}): Readiness {
  const { connected, sinceReadMs, stalledMs } = worker;
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  if (!connected) {
    return { ready: false, reason: 'no-session', message: 'The worker is not connected to the database.' };
  }
  if (sinceReadMs > longestMs) {
    const message = `The worker has not been able to read due deliveries for ${seconds(sinceReadMs)}.`;
    return { ready: false, reason: 'not-reading', message };
  }
  if (stalledMs > longestMs) {
    const message = `Deliveries are due, but no request has started for ${seconds(stalledMs)}.`;
    return { ready: false, reason: 'not-sending', message };
  }
  return { ready: true };
}
