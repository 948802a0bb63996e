import type { FailureReplay, LoggedCall } from '../emulator/index.js';
import { compareWithLog } from './compare-outcome.js';
import { unanswered } from './describe-differences.js';
import { thrownError } from './position-of-difference.js';
import { rerunCalls, type RecordOptions } from './record/record-calls.js';
import { toRecorded } from './recorded-outcome.js';
import type { ReplayResult } from './replay-calls.js';

/** Runs failed calls again with the current code. The log provides the responses to their outbound requests. */
export async function replayFailures(
  calls: readonly LoggedCall[],
  options: Pick<RecordOptions, 'project' | 'platformVersion' | 'signal'>,
): Promise<FailureReplay[]> {
  if (calls.length === 0) return [];
  const logged = calls.toSorted((a, b) => a.time - b.time);
  const inputs = { schema: '', redact: [], keep: [], keepHeaders: [], withBinary: true };
  // The code may have changed, so a request to another URL is not the one in the log.
  const rerun = await rerunCalls(logged, { ...options, ...inputs }, [], (call) => call);
  return rerun.first.map((result, at) => {
    const [draft, missing] = [rerun.calls[at], [...(rerun.leftOut[at] ?? [])][0]];
    const change = draft && compareWithLog(draft, toRecorded(result.outcome), rerun.filled);
    return {
      call: logged[at]?.id ?? '',
      ...verdictOn(result, missing),
      ...(change && { before: change.before.trim(), after: change.after.trim() }),
    };
  });
}

function verdictOn(
  result: ReplayResult,
  missing: string | undefined,
): Pick<FailureReplay, 'verdict' | 'reason' | 'at'> {
  const { response, failure, rejected } = result.outcome;
  const [request] = unanswered(result);
  if (request !== undefined) return { verdict: 'unknown', reason: `The log has no response to ${request}.` };
  if (missing !== undefined) return { verdict: 'unknown', reason: `The log does not contain ${missing}.` };
  const status = response?.status ?? 500;
  // Only scripts decide about the statuses of requests. An event without a handler has the status 406.
  const fails = result.call.event.type === 'fetch' ? status >= 500 : status >= 400 && status !== 406;
  if (!fails && failure === undefined && rejected.length === 0) return { verdict: 'fixed' };
  const error = thrownError(result.outcome);
  const reason = error?.message ?? rejected[0] ?? `The script responded with ${status}.`;
  const { path, line, column } = error?.position ?? {};
  const at = path !== undefined && line !== undefined && { at: { file: path, line, column: column ?? 1 } };
  return { verdict: 'failing', reason, ...at };
}
