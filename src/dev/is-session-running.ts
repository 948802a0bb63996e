import type { SessionRecord } from './claim-session.js';

const PATIENCE_MS = 1000;

export type Ping = 'responds' | 'silent' | 'gone';

/** Asks for a page that needs the token: another program on the same port does not have it. */
export async function ping(
  { origin, consoleOrigin = origin, token }: SessionRecord,
  patienceMs: number,
): Promise<Ping> {
  try {
    const { ok } = await fetch(`${consoleOrigin}/console/api/openapi.json`, {
      method: 'HEAD',
      headers: { 'X-Platform-Token': token },
      signal: AbortSignal.timeout(patienceMs),
    });
    return ok ? 'responds' : 'gone';
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'gone';
  }
}

/** A platform that is stopped for a while still has its session. */
export const isAnswering = async (session: SessionRecord, patienceMs = PATIENCE_MS): Promise<boolean> =>
  (await ping(session, patienceMs)) !== 'gone';
