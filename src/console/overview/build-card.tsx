import type { JSX } from 'preact';
import { whatBroke, type BuildReport } from '../../protocol/build-report.js';
import { Card } from '../ui/card.js';
import { Problem } from '../text/problem.js';

/** Lists the problems in the last build, if there are any. */
export function BuildCard({ build, version }: { build: BuildReport; version: number }): JSX.Element | null {
  const { ok, problems } = build;
  if (ok && problems.length === 0) return null;
  return (
    <Card title="Build" tone={ok ? undefined : 'bad'}>
      <div class="stack tight">
        {!ok && (
          <p>
            {whatBroke(build)}. <strong>Version {version} is still running</strong> until you fix it.
          </p>
        )}
        {problems.map((problem, index) => (
          <Problem key={index} problem={problem} />
        ))}
      </div>
    </Card>
  );
}
