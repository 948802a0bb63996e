import type { CallRecord } from '../../../contract/routes/calls.js';
import type { Tone } from '../../ui/tone.js';

export interface Verdict {
  tone: Tone;
  title: string;
  text: string;
}

/** Describes how a call differs from an earlier call. `same` is whether the responses are the same. */
export function judgeComparison(before: CallRecord, after: CallRecord, same: boolean): Verdict {
  const failed = [before, after].map(({ severity }) => severity === 'error');
  return {
    ...verdictOf(failed[0] === true, failed[1] === true, same),
    text: `${same ? '' : `${statusText(before, after)} `}${versionText(before, after)}`,
  };
}

function verdictOf(failed: boolean, fails: boolean, same: boolean): Pick<Verdict, 'tone' | 'title'> {
  if (fails && failed)
    return {
      tone: 'bad',
      title: same ? 'Still fails, with the same response' : 'Still fails, with a different response',
    };
  if (fails) return { tone: 'bad', title: 'Fails now' };
  if (failed) return { tone: 'ok', title: 'No longer fails' };
  return same ? { tone: 'ok', title: 'Same response' } : { tone: 'warn', title: 'The response changed' };
}

function statusText(...calls: [CallRecord, CallRecord]): string {
  const [before, after] = calls.map(({ response }) => response?.status);
  if (after === undefined) return 'There is no response.';
  if (before === after) return `The status is still ${after}.`;
  return before === undefined ? `The status is ${after}.` : `The status is ${after} instead of ${before}.`;
}

const versionText = ({ version: before }: CallRecord, { version: after }: CallRecord): string =>
  before === after
    ? `The code hasn't changed: version ${after} handled both calls.`
    : `The code changed from version ${before} to version ${after}.`;
