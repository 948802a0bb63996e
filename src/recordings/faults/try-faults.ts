import { availableParallelism } from 'node:os';
import type { ReplayCall } from '../../sandbox/index.js';
import type { RecordedCall } from '../file/recording.js';
import { replayCalls, type ReplayOptions, type ReplayResult } from '../replay-calls.js';
import { faultVariants, type Variant } from './faults-to-try.js';
import {
  countValues,
  judgeBaseline,
  judgeFault,
  judgeSecondDelivery,
  type FaultFinding,
} from './judge-fault.js';

/** A finding, and the first variant that demonstrates it. */
export interface FoundFault extends FaultFinding {
  /** The name of the recorded call. */
  call: string;
  /** Selects the variant. Absent if the call has the problem without any fault. */
  variant?: string;
  /** A description of the variant's fault. */
  fault?: string;
  /** The number of variants that demonstrate the problem. */
  count: number;
}

export interface FaultSearch {
  found: FoundFault[];
  variants: number;
  /** How many outbound requests failed in these variants. */
  requests: number;
  /** How many calls were delivered twice. */
  repeated: number;
  /** Calls that no longer behave as recorded, so nothing is known about how they handle errors. */
  skipped: string[];
}

type Options = Pick<ReplayOptions, 'recording' | 'integration' | 'script' | 'run' | 'signal'> & {
  /** If set, only this variant is run. */
  only?: string | undefined;
  /** Called when a variant has ended. */
  progress?: (ended: number) => void;
};

/** The number of calls whose variants run in the same processes. */
const BATCH = 40;
/** Each process runs a part of the variants. More processes than cores would be slower. */
const PROCESSES = Math.min(4, availableParallelism());

/** Makes each outbound request of each call fail in several ways, and checks how the script reacts. */
export async function findFaults({ only, progress, ...options }: Options): Promise<FaultSearch> {
  const { recording } = options;
  const wanted = ({ id }: { id: string }): boolean => only === undefined || only === id;
  const base = await replayCalls({ ...options, change: (call) => [{ ...call, fresh: true }] });
  const same = base.filter(({ differences }) => differences.length === 0);
  const found: FoundFault[] = [];
  const search: FaultSearch = {
    found: [],
    variants: 0,
    requests: 0,
    repeated: 0,
    skipped: base.filter((result) => !same.includes(result)).map(({ call }) => call.name),
  };
  const add = (
    result: ReplayResult,
    findings: FaultFinding[],
    fault?: { id: string; what: string },
  ): void => {
    for (const finding of findings)
      found.push({
        ...finding,
        call: result.call.name,
        count: 1,
        ...(fault && { variant: fault.id, fault: fault.what }),
      });
  };
  if (only === undefined) for (const result of same) add(result, judgeBaseline(result.outcome));
  const varied = same.filter(({ index }) => only === undefined || only.startsWith(`${index + 1}.`));
  const parts = only === undefined ? PROCESSES : 1;
  let ended = 0;
  for (let from = 0; from < varied.length; from += BATCH) {
    const batch = new Map(varied.slice(from, from + BATCH).map((one) => [one.index, one]));
    const planned = new Map<number, Variant[]>();
    const runPart = (part: number): Promise<ReplayResult[]> =>
      replayCalls({
        ...options,
        change(call, index) {
          const result = batch.get(index);
          if (!result) return [];
          const variants = faultVariants(call, index, result.outcome).filter(({ fault }) => wanted(fault));
          planned.set(index, variants);
          const own = variants.filter((_, at) => at % parts === part).map((variant) => variant.call);
          return part === 0 ? [...own, ...deliveredTwice(call, result, wanted)] : own;
        },
        ended() {
          ended += 1;
          progress?.(ended);
        },
      });
    const results = await Promise.all(Array.from({ length: parts }, (_, part) => runPart(part)));
    for (const [index, result] of batch) {
      const variants = planned.get(index) ?? [];
      const outcomes = results.map((part) => part.filter((one) => one.index === index));
      const secrets = secretsOf(recording.secrets, result.call);
      const credentials = credentialsOf(result.call);
      for (const [at, variant] of variants.entries()) {
        const outcome = outcomes[at % parts]?.[Math.floor(at / parts)]?.outcome;
        if (outcome)
          add(
            result,
            judgeFault(variant, { base: result.outcome, outcome, secrets, credentials }),
            variant.fault,
          );
      }
      const [first, second] = (outcomes[0] ?? []).slice(Math.ceil(variants.length / parts));
      search.variants += variants.length + (second ? 1 : 0);
      search.requests += new Set(variants.map(({ request }) => request)).size;
      search.repeated += second ? 1 : 0;
      if (first && second)
        add(result, judgeSecondDelivery(first.outcome, second.outcome, deliveryOf(result.call)?.ids ?? []), {
          id: `${index + 1}.twice`,
          what: 'it is delivered twice',
        });
    }
  }
  return { ...search, found: groupFaults(found) };
}

/** Groups findings by rule and line. A missing time limit is reported only once, because most projects set it in one place. */
export function groupFaults<Found extends FoundFault>(found: readonly Found[]): Found[] {
  const position = ({ at, message }: FaultFinding): string => (at ? `${at.path}:${at.line}` : message);
  const groups = new Map<string, Found>();
  for (const one of found) {
    const key = `${one.rule} ${one.rule === 'no-time-limit' ? one.message : position(one)}`;
    const first = groups.get(key);
    groups.set(key, first ? { ...first, count: first.count + one.count } : one);
  }
  return [...groups.values()];
}

/** Runs the second delivery in the same module instance, as can happen in production. */
const deliveredTwice = (
  call: ReplayCall,
  { index, call: recorded }: ReplayResult,
  wanted: (fault: { id: string }) => boolean,
): ReplayCall[] =>
  deliveryOf(recorded) === undefined || !wanted({ id: `${index + 1}.twice` })
    ? []
    : [{ ...call, fresh: true }, call];

/** Headers that any request has. The other headers of a webhook identify or sign the delivery, whatever they are called. */
const usualHeader =
  /^(?:accept|authorization|cache-control|connection|content|cookie|date|dnt|expect|forwarded|from|host|if-|keep-alive|origin|pragma|range|referer|sec-|te$|trace|trailer|transfer|upgrade|user-agent|via|x-forwarded|x-real-ip|x-requested-with)/i;
const signature = /signature|hmac|digest/i;

/** Whether a call is a task or an incoming delivery, both of which may arrive twice, and the ids that identify it. */
function deliveryOf({ event }: RecordedCall): { ids: string[] } | undefined {
  const { type, eventId, request } = event;
  if (type === 'task') return { ids: typeof eventId === 'string' ? [eventId] : [] };
  if (request?.method !== 'POST') return undefined;
  const own = Object.entries(request.headers ?? {}).filter(([name]) => !usualHeader.test(name));
  const ids = own.filter(([name, value]) => !signature.test(name) && /^(?=.*\d)[\w.:-]{4,}$/.test(value));
  const isSigned = own.some(([name]) => signature.test(name));
  return ids.length > 0 || isSigned ? { ids: ids.map(([, value]) => value) } : undefined;
}

const credentialsOf = ({ stored }: RecordedCall): string[] =>
  [stored.installation, stored.siteInstallation, stored.spaceInstallation].flatMap((part) =>
    Object.entries(part?.configuration ?? {}).flatMap(([name, value]) =>
      /token|credential|secret|api_?key|password/i.test(name) && countValues(value) > 0 ? [name] : [],
    ),
  );

/** Returns the made-up secrets in a call's input. Shorter values are skipped, because they may be ordinary words. */
function secretsOf(declared: Readonly<Record<string, string>>, { stored }: RecordedCall): string[] {
  const stores = JSON.stringify(stored).match(/"example-[^"\\]{4,}"/g) ?? [];
  const tokens = ['example-integration-token', 'example-installation-token'];
  return [...Object.values(declared), ...stores.map((text) => text.slice(1, -1)), ...tokens].filter(
    (value) => value.length >= 8,
  );
}
