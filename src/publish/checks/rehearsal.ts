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
    const { manifest, packed, rehearsed = [], former, version } = submission;
    if (packed) return skipped('Scripts in packed submissions are never run.');
    if (!submission.bundle) return skippedWithoutBuild(submission);
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
        const { at } = call;
        const start = at && { line: at.line, column: at.column };
        return [
          {
            message: `${name}, call "${call.name}": ${describe(call)}`,
            help: help[call.verdict](name),
            severity: call.verdict === 'broken' && !mayBreak ? 'error' : 'warning',
            ...(at && start
              ? { file: join(manifest.folder, at.path), range: { start, end: start } }
              : { path: ['script'] }),
          },
        ];
      }),
    );
    return { evidence, findings };
  },
};

const help = {
  broken: (name: string) => `See all differences with: platform replay ${name}`,
  pending: () =>
    'The installation would wait until a user enters a value. Keep the property optional, or give it a default.',
  differs: (name: string) => `See all differences with: platform replay ${name}`,
};

function describe({ verdict, why = '', differences }: RehearsedCall): string {
  if (verdict !== 'differs') return `${verdict}, ${why}`;
  return differences
    .map(({ kind, before, after }) => {
      const [old, now] = firstDifference(before, after);
      return `differs, ${kind}: "${old}" is now "${now}"`;
    })
    .join('; ');
}

const LONGEST_LINE = 160;

/** Returns the first line that differs, in a shortened form. */
function firstDifference(before: string, after: string): [string, string] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = old.findIndex((line, index) => line !== now[index]);
  const line = at === -1 ? old.length : at;
  const shorten = (text = ''): string => text.trim().slice(0, LONGEST_LINE);
  return [shorten(old[line]), shorten(now[line])];
}
