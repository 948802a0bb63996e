import { readThrownError, type ThrownError } from '../../base/text/thrown-error.js';
import type { ProbeHost } from './probe-host.js';

interface Watched<Result> {
  result: Result;
  /** Hosts that the script tried to reach in the meantime. */
  blocked: string[];
  /** The first error that the script logged in the meantime. */
  cause: ThrownError | undefined;
}

/** Runs an action of the script, and records its logs and the hosts it tries to reach. */
export async function watch<Result>(host: ProbeHost, act: () => Promise<Result>): Promise<Watched<Result>> {
  const logged = host.errors().length;
  const { length } = await host.blocked();
  const result = await act();
  // This round trip also delivers earlier log lines.
  const blocked = (await host.blocked()).slice(length);
  const [error] = host.errors().slice(logged);
  return { result, blocked, cause: error === undefined ? undefined : readThrownError(error) };
}
