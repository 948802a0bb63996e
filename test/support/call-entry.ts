import type { CallRecord } from '../../src/store/calls/call-log.js';

/** A successful call without any side effects. `more` overrides its fields. */
export const callEntry = (id: string, more: Partial<CallRecord> = {}): CallRecord => ({
  id,
  source: 'event',
  event: undefined,
  environment: undefined,
  time: 0,
  version: 1,
  outcome: 'ok',
  requestBytes: 0,
  responseBytes: 0,
  logs: [],
  outbound: [],
  ...more,
});
