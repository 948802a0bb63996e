import type { JSX } from 'preact';
import type { BuildReport } from '../../protocol/build-report.js';
import { Card } from '../ui/card.js';
import { Problem } from '../ui/messages/problem.js';
import { Status } from '../ui/status.js';
import { formatDuration, formatTime } from '../text/format.js';

interface BuildCardProps {
  build: BuildReport | undefined;
  version: number;
  hasScript: boolean;
}

export function BuildCard({ build, version, hasScript }: BuildCardProps): JSX.Element {
  const ok = build?.ok ?? true;
  return (
    <Card
      title="Build"
      tone={ok ? undefined : 'bad'}
      actions={
        <Status tone={ok ? 'ok' : 'bad'} live>
          {ok ? 'Up to date' : 'Broken'}
        </Status>
      }
    >
      <div class="stack tight">
        {ok ? (
          <p class="quiet">
            {hasScript ? `Version ${version} answers` : 'The manifest names no script'}
            {build?.durationMs !== undefined && `, built in ${formatDuration(build.durationMs)}`}
            {build && ` at ${formatTime(build.time)}`}. Each save that builds becomes the next version.
          </p>
        ) : (
          <p>
            {build?.what === 'manifest' ? 'The manifest has errors.' : 'The last save does not build.'}{' '}
            <strong>Version {version} goes on answering</strong> until it does.
          </p>
        )}
        {build?.problems.map((problem, index) => (
          <Problem key={index} problem={problem} />
        ))}
      </div>
    </Card>
  );
}
