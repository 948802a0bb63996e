import { readThrownError, type ThrownError } from '../../base/text/thrown-error.js';
import type { ProbeHost } from './probe-host.js';

interface Watched<Result> {
  result: Result;
  /** The hosts that the script tried to reach while the action ran. */
  blocked: string[];
  /** The first error that the script logged while the action ran. */
  cause: ThrownError | undefined;
}

/**
 * Runs an action that involves the script, and records what the script logs and which hosts it tries to reach in the
 * meantime.
 */
export async function watch<Result>(host: ProbeHost, act: () => Promise<Result>): Promise<Watched<Result>> {
  const logged = host.errors().length;
  const { length } = await host.blocked();
  const result = await act();
  // By the time the host responds to this call, all earlier log lines have arrived as well.
  const blocked = (await host.blocked()).slice(length);
  const [error] = host.errors().slice(logged);
  return { result, blocked, cause: error === undefined ? undefined : readThrownError(error) };
}
