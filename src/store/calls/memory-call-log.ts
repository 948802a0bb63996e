import type { Environment } from '../../protocol/environment.js';
import { joinBytes } from '../../base/join-bytes.js';
import type { StoreLimits } from '../model/store-limits.js';
import { defaultPage, matchesCall } from './match-call.js';
import { groupProblems, knownProblem, type KnownProblem } from './group-problems.js';
import type { BodyName, CallCriteria, CallRecord, CallLog, CallQuery } from './call-log.js';

interface Bodies {
  bytes: number;
  pieces: Map<BodyName, Uint8Array[]>;
  /** Whether the body is too large or too old for the log to store more of it. */
  dropped: boolean;
}

interface Kept {
  position: number;
  /** The call without its environment, which is the same for most calls. */
  json: string;
  environment: string | undefined;
  problem: KnownProblem | undefined;
}

export function createMemoryCallLog({ entries: most, bodyBytes }: StoreLimits): CallLog {
  const kept = new Map<string, Kept>();
  const environments = new WeakMap<Environment, string>();
  const bodies = new Map<string, Bodies>();
  let last = 0;
  let total = 0;

  const drop = (body: Bodies): void => {
    total -= body.bytes;
    Object.assign(body, { bytes: 0, pieces: new Map(), dropped: true });
  };

  const trim = (): void => {
    for (const id of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(id);
      const body = bodies.get(id);
      if (body) drop(body);
      bodies.delete(id);
    }
    for (const body of bodies.values()) {
      if (total <= bodyBytes) break;
      drop(body);
    }
  };

  const textOf = (environment: Environment): string => {
    const text = environments.get(environment) ?? JSON.stringify(environment);
    environments.set(environment, text);
    return text;
  };

  const body: CallLog['body'] = (id, which) => {
    const pieces = bodies.get(id)?.pieces.get(which) ?? [];
    return pieces.length === 0 ? undefined : joinBytes(pieces);
  };

  const matches = ({ json }: Kept, filter: CallCriteria): boolean =>
    matchesCall(JSON.parse(json) as CallRecord, filter, body);

  return {
    record(call) {
      const position = kept.get(call.id)?.position ?? ++last;
      const json = JSON.stringify({ ...call, environment: undefined });
      kept.set(call.id, {
        position,
        json,
        environment: call.environment && textOf(call.environment),
        problem: knownProblem(call),
      });
      trim();
    },
    appendBody(id, which, chunk) {
      const body = bodies.get(id) ?? { bytes: 0, pieces: new Map<BodyName, Uint8Array[]>(), dropped: false };
      bodies.set(id, body);
      if (body.dropped) return;
      const pieces = body.pieces.get(which) ?? [];
      pieces.push(chunk.slice());
      body.pieces.set(which, pieces);
      body.bytes += chunk.byteLength;
      total += chunk.byteLength;
      trim();
    },
    get(id) {
      const found = kept.get(id);
      return found && toEntry(found);
    },
    body,
    list: (query = {}) => listPage([...kept.values()], query, matches),
    count: (filter = {}) => [...kept.values()].filter((one) => matches(one, filter)).length,
    problems: (current) => groupProblems(kept.values(), current, toEntry),
    flush() {},
  };
}

function listPage(
  all: Kept[],
  query: CallQuery,
  matches: (one: Kept, query: CallQuery) => boolean,
): { position: number; call: CallRecord }[] {
  const { after, before = Infinity, limit = defaultPage } = query;
  const found: { position: number; call: CallRecord }[] = [];
  for (const one of after === undefined ? all.reverse() : all) {
    if (found.length >= limit) break;
    if (one.position <= (after ?? 0) || one.position >= before) continue;
    if (matches(one, query)) found.push({ position: one.position, call: toEntry(one) });
  }
  return after === undefined ? found.reverse() : found;
}

const toEntry = ({ json, environment }: Kept): CallRecord => ({
  ...(JSON.parse(json) as CallRecord),
  ...(environment !== undefined && { environment: JSON.parse(environment) as Environment }),
});
