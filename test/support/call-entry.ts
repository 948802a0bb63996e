import type { CallRecord } from '../../src/store/calls/call-log.js';

/** A call that went well and did nothing; `more` says what else is known about it. */
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
