import type { SessionRecord } from './session-file.js';

const PATIENCE_MS = 1000;

/** Whoever has the port now need not have the token; one that is stopped for a while still has it. */
export async function isAnswering(
  { origin, consoleOrigin = origin, token }: SessionRecord,
  patienceMs = PATIENCE_MS,
): Promise<boolean> {
  try {
    const { ok } = await fetch(`${consoleOrigin}/console/api/openapi.json`, {
      method: 'HEAD',
      headers: { 'X-Platform-Token': token },
      signal: AbortSignal.timeout(patienceMs),
    });
    return ok;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError';
  }
}
