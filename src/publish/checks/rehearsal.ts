import { join } from 'node:path';
import { count } from '../../diagnostics/index.js';
import { rehearsalVerdicts, type RehearsedCall } from '../../recordings/index.js';
import { versionStep } from './breaking-changes.js';
import { skipped, skippedWithoutBuild, type Check, type CheckOutcome, type PublishFinding } from './check.js';

const claim =
  'Given the same external responses and stored values, these calls produce the same responses and requests with the new version.';

export const rehearsal: Check = {
  code: 'publish/rehearsal',
  title: 'Rehearsal',
  severity: 'error',
  summary: 'A recorded call fails or behaves differently with the new version.',
  run(submission): CheckOutcome {
    const { manifest, packed, rehearsed = [], unusedRecordings, former, version } = submission;
    if (packed) return skipped('Scripts in packed submissions are never run.');
    if (!submission.bundle) return skippedWithoutBuild(submission);
    if (unusedRecordings !== undefined)
      return skipped(`To run the recorded calls with this version, add: --recordings ${unusedRecordings}`);
    const verdicts = rehearsed.map(({ calls }) =>
      rehearsalVerdicts.find((verdict) => calls.some((call) => call.verdict === verdict)),
    );
    const counts = rehearsalVerdicts.flatMap((verdict) => {
      const found = verdicts.filter((one) => one === verdict).length;
      return found > 0 ? [`${found} ${verdict}`] : [];
    });
    const evidence = `${count(rehearsed.length, 'recording')}: ${counts.join(', ')}.`;
    if (verdicts.every((verdict) => verdict === 'same')) return { evidence: `${evidence} ${claim}` };
    const mayBreak = versionStep(former?.version, version) === 'major';
    const findings = rehearsed.flatMap(({ name, calls }) =>
      calls.flatMap((call): PublishFinding[] => {
        if (call.verdict === 'same') return [];
        const { at, whenSet } = call;
        const start = at && { line: at.line, column: at.column };
        const position = start ? { file: join(manifest.folder, at.path), range: { start, end: start } } : {};
        const title = `${name}, call "${call.name}"`;
        const finding: PublishFinding = {
          message: call.verdict === 'pending' ? describe(call, call) : `${title}: ${describe(call, call)}`,
          help: help[call.verdict](name),
          severity: call.verdict === 'broken' && !mayBreak ? 'error' : 'warning',
          ...(whenSet ? { path: ['configurations'] } : position),
        };
        if (!whenSet || whenSet.verdict === 'same') return [finding];
        return [
          finding,
          {
            // The sample value can be the cause, so this is never an error.
            message: `${title}, with ${listSamples(call.samples)}: ${describe(whenSet, call)}`,
            help: help[whenSet.verdict](name),
            severity: 'warning',
            ...position,
          },
        ];
      }),
    );
    return { evidence, findings: withoutRepeats(findings) };
  },
};

/** Many calls can be pending for the same reason, and the same advice needs to be read only once. */
function withoutRepeats(findings: readonly PublishFinding[]): PublishFinding[] {
  const messages = [...new Set(findings.map(({ message }) => message))];
  const advice = new Set<string | undefined>();
  return messages.flatMap((message) => {
    const same = findings.filter((finding) => finding.message === message);
    const { help: first, ...finding } = same[0] ?? { message };
    const isNew = !advice.has(first);
    advice.add(first);
    const times = same.length > 1 ? ` (${count(same.length, 'call')})` : '';
    return [{ ...finding, message: message + times, ...(isNew && first !== undefined && { help: first }) }];
  });
}

const help = {
  broken: (name: string) => `See all differences with: platform replay ${name}`,
  pending: () =>
    'The installation would wait until a user changes its configuration. Keep accepting the stored values. If a value is missing, keep the property optional or give it a default.',
  unknown: (name: string) =>
    `Record the call again with the new version, so that ${name} contains the response.`,
  differs: (name: string) => `See all differences with: platform replay ${name}`,
};

const listSamples = (samples: readonly string[]): string =>
  samples.length > 0 ? `the sample ${samples.join(', ')}` : 'the stored values';

function describe(
  { verdict, why = '' }: Pick<RehearsedCall, 'verdict' | 'why'>,
  { differences }: RehearsedCall,
): string {
  if (verdict !== 'differs') return `${verdict}, ${why}`;
  return differences
    .map(({ kind, before, after }) => {
      const [old, now] = firstDifference(before, after);
      return `differs, ${kind}: \`${old}\` is now \`${now}\``;
    })
    .join('; ');
}

const LONGEST_LINE = 160;

/** Returns the first line that differs, shortened. */
function firstDifference(before: string, after: string): [string, string] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = old.findIndex((line, index) => line !== now[index]);
  const line = at === -1 ? old.length : at;
  const shorten = (text = ''): string => text.trim().slice(0, LONGEST_LINE);
  return [shorten(old[line]), shorten(now[line])];
}
