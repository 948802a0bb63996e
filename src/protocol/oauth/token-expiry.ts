import { parseTime } from '../../base/clock.js';

/** Returns when the token in a configuration value expires. The SDK stores this time with the token. */
export function tokenExpiry(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('expires_at' in value)) return undefined;
  const { expires_at: at } = value;
  const time = typeof at === 'number' || typeof at === 'string' ? parseTime(at) : NaN;
  return Number.isFinite(time) ? time : undefined;
}
