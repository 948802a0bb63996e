import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CallProblemGroup, CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { FailureReplay } from '../../contract/routes/recordings.js';
import type { DeliveryFailures } from '../../contract/routes/webhooks.js';
import { IntegrationFacet, isOf } from '../live/integration-facet.js';
import { useDue } from '../live/queued-tasks.js';
import { GoLink } from '../shell/navigation.js';
import { DueCard } from '../tasks/due-card.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { FailedDeliveries } from './overview-view.js';
import { ProblemGroups } from './problem-groups.js';

interface JoinedOverviewProps {
  platform: PlatformResource;
  problems: CallProblems | undefined;
  failedDeliveries: DeliveryFailures;
}

const mostDue = 5;

/** What fails in all integrations of the session, and what is due next. */
export function JoinedOverview({
  platform,
  problems,
  failedDeliveries,
}: JoinedOverviewProps): JSX.Element | null {
  const [only, setOnly] = useState<string>();
  const [replayed, setReplayed] = useState<{ version: number; replays: readonly FailureReplay[] }>();
  const due = useDue().filter(isOf(only));
  if (!problems) return null;
  const entries = [...problems.groups, ...failedDeliveries.groups];
  const groups = problems.groups.filter(isOf(only));
  const failed = failedDeliveries.groups.filter(isOf(only));
  return (
    <div class="page">
      <div class="stack">
        {entries.length > 0 && (
          <div class="row">
            <IntegrationFacet entries={entries} value={only} onChoose={setOnly} />
          </div>
        )}
        {groups.length + failed.length === 0 && (
          <EmptyState icon="check" title="No failures">
            <p>Choose an integration to see its installations and addresses.</p>
          </EmptyState>
        )}
        <ProblemGroups
          problems={only === undefined ? problems : { ...problems, ...countsOf(groups), groups }}
          platform={platform}
          only={only}
          replays={replayed?.version === problems.version ? replayed.replays : undefined}
          onReplay={(replays) => setReplayed({ version: problems.version, replays })}
        />
        <FailedDeliveries failures={{ groups: failed }} />
        <DueCard
          title="Due next"
          due={due}
          most={mostDue}
          actions={<GoLink to={{ view: 'tasks' }}>All tasks</GoLink>}
        />
      </div>
    </div>
  );
}

function countsOf(groups: readonly CallProblemGroup[]): Pick<CallProblems, 'errors' | 'warnings'> {
  const sum = (severity: CallProblemGroup['severity'], which: 'current' | 'calls'): number =>
    groups.reduce((total, group) => total + (group.severity === severity ? group[which] : 0), 0);
  return {
    errors: { current: sum('error', 'current'), all: sum('error', 'calls') },
    warnings: { current: sum('warning', 'current'), all: sum('warning', 'calls') },
  };
}
