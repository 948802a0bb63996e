import { readThrownError, type ThrownError } from '../../base/text/thrown-error.js';
import type { ProbeHost } from './probe-host.js';

interface Watched<Result> {
  result: Result;
  /** Hosts that the script wanted to reach meanwhile. */
  blocked: string[];
  /** The first error that it logged meanwhile. */
  cause: ThrownError | undefined;
}

/** Has the script do something, and notes what it logs and where it wants to go. */
export async function watch<Result>(host: ProbeHost, act: () => Promise<Result>): Promise<Watched<Result>> {
  const logged = host.errors().length;
  const { length } = await host.blocked();
  const result = await act();
  // This round trip also brings in what was logged before.
  const blocked = (await host.blocked()).slice(length);
  const [error] = host.errors().slice(logged);
  return { result, blocked, cause: error === undefined ? undefined : readThrownError(error) };
}
