import type { JSX } from 'preact';
import type { CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { ListedDelivery } from '../../contract/routes/webhooks.js';
import { Chip, Status } from '../ui/status.js';
import { IntegrationIcon } from '../ui/messages/integration-icon.js';
import { AddressesAndScopes } from './addresses.js';
import { BuildCard } from './build-card.js';
import { firstEvent } from '../live/first-event.js';
import { FailedDeliveries } from './failed-deliveries.js';
import { FirstSteps } from './first-steps.js';
import { InstallationsCard } from './installations-card.js';
import { LatestCalls } from './latest-calls.js';
import { NowLine } from './now-line.js';
import { ProblemGroups } from './problem-groups.js';
import { TasksCard } from './tasks-card.js';

interface OverviewViewProps {
  platform: PlatformResource;
  problems: CallProblems | undefined;
  failedDeliveries: readonly ListedDelivery[];
}

/** Shows the current state: the build, failures and the latest calls. */
export function OverviewView({ platform, problems, failedDeliveries }: OverviewViewProps): JSX.Element {
  const { integration, lastBuild, version, installations } = platform;
  const installed = installations.length > 0;
  return (
    <div class="page">
      <section class="hero">
        <IntegrationIcon integration={integration} size={40} />
        <div class="grow">
          <div class="row">
            <h2 class="hero-title wrap-anywhere">{integration.title}</h2>
            <Chip>{integration.name}</Chip>
            <Status tone="calm">{integration.visibility}</Status>
          </div>
          <p class="hero-text wrap-anywhere">{integration.description}</p>
        </div>
      </section>
      <NowLine platform={platform} problems={problems} failedDeliveries={failedDeliveries.length} />
      <div class="page-columns">
        <div class="stack">
          {lastBuild?.ok === false && <BuildCard build={lastBuild} version={version} />}
          {problems && <ProblemGroups problems={problems} platform={platform} />}
          <FailedDeliveries deliveries={failedDeliveries} />
          {lastBuild?.ok && <BuildCard build={lastBuild} version={version} />}
          <TasksCard platform={platform} />
          <FirstSteps platform={platform} />
          {!installed && <InstallationsCard platform={platform} />}
          {installed && <LatestCalls command={`platform trigger ${firstEvent(platform)}`} />}
        </div>
        <div class="stack">
          {installed && <InstallationsCard platform={platform} />}
          <AddressesAndScopes platform={platform} />
        </div>
      </div>
    </div>
  );
}
