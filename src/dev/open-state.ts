import { join } from 'node:path';
import type { Clock } from '../base/clock.js';
import { SAVED_STATES } from '../emulator/index.js';
import { openStore } from '../store/open-store.js';
import { startFresh } from '../store/start-fresh.js';
import { createMemoryStore, type Store } from '../store/store.js';
import { checkPrivateFile } from './private-file.js';
import type { SessionOptions } from './session-options.js';

type StateOptions = Pick<SessionOptions, 'state' | 'fresh' | 'environment'> & {
  clock: Clock;
  process: Pick<SessionOptions['process'], 'userId'>;
};

export function openState(
  { state, fresh, clock, environment, process }: StateOptions,
  folder: string,
  onLogError: (error: unknown) => void,
): Store {
  if (state === 'memory') return createMemoryStore(clock);
  // Environments have different secrets and often different accounts, so their states must never be mixed.
  const name = environment === undefined ? 'state' : `state-${encodeURIComponent(environment)}`;
  const file = join(folder, `${name}.db`);
  for (const suffix of ['', '-wal', '-shm', '-owner']) checkPrivateFile(file + suffix, process.userId);
  if (fresh) startFresh(file, SAVED_STATES);
  return openStore({ file, clock, onLogError });
}
