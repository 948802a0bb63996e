import type { Clock } from '../base/clock.js';
import type { CallLimits } from '../protocol/call-limits.js';
import type { Integration } from '../protocol/integration.js';
import { defaultWorkspace, type Workspace } from '../protocol/workspace.js';
import type { Store } from '../store/store.js';
import { createCallRecorder } from './calls/call-recorder.js';
import { chooseLimits } from './calls/headroom.js';
import { createEventFeed } from './live/event-feed.js';
import { createSecrets } from './state/platform-secrets.js';
import { createRegistry } from './state/registry.js';

export interface RecordsOptions {
  store: Store;
  /** The clock for tasks, tokens, retries and recorded times. */
  clock: Clock;
  integration: Integration;
  workspace?: Workspace;
  /** The limits for calls. Calls that come close to a limit are marked. */
  limits?: CallLimits;
  /** The key for the console's API, which is masked. It changes each time the platform starts. */
  token: string;
}

/** The data that the platform stores and records. Opened before the script starts. */
export type Records = ReturnType<typeof openRecords>;

export function openRecords(options: RecordsOptions) {
  const { store, clock, integration, workspace = defaultWorkspace, token } = options;
  const { limits = chooseLimits() } = options;
  const { state, callLog } = store;
  const feed = createEventFeed();
  const registry = createRegistry({ integration, workspace, state });
  const secrets = createSecrets(registry, [token]);
  const version = (): number => registry.record().version;
  const recorder = createCallRecorder({
    callLog,
    clock,
    feed,
    limits,
    secrets,
    version,
    declared: () => ({ ...registry.integration(), clockAhead: registry.record().clockAhead ?? 0 }),
  });
  /** Receives the script's logs and outbound requests. */
  const { observer } = recorder;
  return { store, clock, limits, token, feed, registry, secrets, recorder, observer };
}
