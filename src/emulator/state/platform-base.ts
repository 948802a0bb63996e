import type { Background } from '../../base/background-work.js';
import type { Clock, Timers } from '../../base/clock.js';
import type { CallLimits } from '../../protocol/call-limits.js';
import type { CallLog } from '../../store/calls/call-log.js';
import type { StateStore } from '../../store/state/state-store.js';
import type { Addresses } from '../http/addresses.js';
import type { EventFeed } from '../live/event-feed.js';
import type { Secrets } from './platform-secrets.js';
import type { Registry } from './registry.js';

/** What the parts of the platform are made from. Each part names what it takes. */
export interface PlatformBase {
  state: StateStore;
  callLog: CallLog;
  clock: Clock;
  timers: Timers;
  feed: EventFeed;
  background: Background;
  addresses: Addresses;
  registry: Registry;
  secrets: Secrets;
  scopes: 'warn' | 'enforce';
  limits: CallLimits;
  reportError(error: unknown): void;
}
