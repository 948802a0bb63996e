import type { Script } from '../process/script-folder.js';
import type { ReplayJob, ReplayOutcome } from './replay-types.js';

/** Runs a job's calls one after another in the same script, and reports each call when it ends. */
export type RunReplay = (
  script: Script,
  job: ReplayJob,
  options?: {
    signal?: AbortSignal;
    /** The limit on a call's real time, which ends infinite loops. */
    realLimitMs?: number;
    ended?: (call: number, outcome: ReplayOutcome) => void;
  },
) => Promise<ReplayOutcome[]>;

/** A call that takes this long in real time is stuck in a loop, because its own time does not advance while code runs. */
export const REAL_LIMIT_MS = 10_000;

/** Returns the outcome of a call whose process has ended. */
export const lostOutcome = (failure: string): ReplayOutcome => ({
  failure,
  outbound: [],
  logs: [],
  rejected: [],
  unrepeatable: [],
  durationMs: 0,
});

/** Rewrites the positions in a call's outcome to positions in the author's files. */
export const atSources = (outcome: ReplayOutcome, toSource: (text: string) => string): ReplayOutcome => ({
  ...outcome,
  ...(outcome.failure !== undefined && { failure: toSource(outcome.failure) }),
  logs: outcome.logs.map((line) => ({ ...line, text: toSource(line.text) })),
  ...(outcome.response && {
    response: { ...outcome.response, stack: toSource(outcome.response.stack ?? '') },
  }),
  outbound: outcome.outbound.map((sent) => ({ ...sent, stack: toSource(sent.stack) })),
});
