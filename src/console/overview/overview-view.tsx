import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CallProblems } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import type { FailureReplay } from '../../contract/routes/recordings.js';
import type { DeliveryFailureGroup, DeliveryFailures } from '../../contract/routes/webhooks.js';
import { Chip } from '../ui/status.js';
import { firstCommand } from '../live/first-event.js';
import { FirstSteps } from './first-steps.js';
import { InstallationsCard } from './installations-card.js';
import { LatestCalls } from './latest-calls.js';
import { NowLine } from './now-line.js';
import { ProblemGroups } from './problem-groups.js';
import { whatBroke, type BuildReport } from '../../protocol/build-report.js';
import { Card } from '../ui/card.js';
import { Problem } from '../text/problem.js';
import { api } from '../api/fetch-api.js';
import { CopyButton } from '../ui/copy-button.js';
import { describeGroup } from '../../base/text/delivery-reason.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { Icon } from '../ui/icon.js';
import { useDue } from '../live/queued-tasks.js';
import { DueCard } from '../tasks/due-card.js';

interface OverviewViewProps {
  platform: PlatformResource;
  problems: CallProblems | undefined;
  failedDeliveries: DeliveryFailures;
}

export function OverviewView({ platform, problems, failedDeliveries }: OverviewViewProps): JSX.Element {
  const { lastBuild, version, installations } = platform;
  const installed = installations.length > 0;
  const [replayed, setReplayed] = useState<{ version: number; replays: readonly FailureReplay[] }>();
  const replays = replayed?.version === problems?.version ? replayed?.replays : undefined;
  const isFailing = failedDeliveries.failed + (problems?.errors.current ?? 0) > 0;
  return (
    <div class="page">
      <NowLine
        platform={platform}
        problems={installed ? problems : undefined}
        failedDeliveries={failedDeliveries.failed}
        stillFailing={replays?.filter(({ verdict }) => verdict === 'failing').length ?? 0}
      />
      <div class="page-columns">
        <div class="stack">
          {lastBuild?.ok === false && <BuildCard build={lastBuild} version={version} />}
          {problems && (
            <ProblemGroups
              problems={problems}
              platform={platform}
              replays={replays}
              onReplay={(found) => setReplayed({ version: problems.version, replays: found })}
            />
          )}
          <FailedDeliveries failures={failedDeliveries} />
          {lastBuild?.ok && <BuildCard build={lastBuild} version={version} />}
          <DueCard
            title="Due next"
            due={useDue()}
            most={shown}
            actions={<GoLink to={{ view: 'tasks' }}>All tasks</GoLink>}
          />
          {!installed && <InstallationsCard platform={platform} />}
          <FirstSteps platform={platform} />
          {installed && !isFailing && <LatestCalls command={firstCommand(platform)} />}
        </div>
        <div class="stack">
          {installed && <InstallationsCard platform={platform} />}
          <AddressesAndScopes platform={platform} />
        </div>
      </div>
    </div>
  );
}

function BuildCard({ build, version }: { build: BuildReport; version: number }): JSX.Element | null {
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

/** These addresses are rarely needed, so they are collapsed at first. */
function AddressesAndScopes({ platform }: { platform: PlatformResource }): JSX.Element {
  const { urls, integration } = platform;
  const rows: [string, string][] = [
    ['Public endpoint', urls.publicEndpoint],
    ['Envelope', urls.envelope],
    ['Management API', urls.api],
    ['Published content', urls.publicContentEndpoint],
  ];
  return (
    <details class="card fold">
      <summary class="bar">
        <Icon name="right" size={14} /> Addresses and scopes
      </summary>
      <ul class="addresses card-body flush" aria-label="Addresses">
        {integration.visibility === 'unlisted' && (
          <li class="bar">
            <div class="grow">
              <p class="small quiet">Install link</p>
              <p class="small">Anyone with this link can install the integration.</p>
            </div>
            <CopyButton
              text={async () => (await api('GET /install-link')).url}
              label="Copy the URL: Install link"
            />
          </li>
        )}
        {rows.map(([name, address]) => (
          <li class="bar" key={name}>
            <div class="grow">
              <p class="small quiet">{name}</p>
              <p class="mono wrap-anywhere">{address}</p>
            </div>
            <CopyButton text={address} label={`Copy the URL: ${name}`} />
          </li>
        ))}
      </ul>
      <div class="card-note">
        {integration.scopes.length === 0 ? (
          <p class="quiet">The manifest requests no scopes.</p>
        ) : (
          <ul class="wrap gap-s" aria-label="Scopes">
            {integration.scopes.map((scope) => (
              <li key={scope}>
                <Chip>{scope}</Chip>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

const shown = 5;

export function FailedDeliveries({
  failures: { groups },
}: {
  failures: Pick<DeliveryFailures, 'groups'>;
}): JSX.Element | null {
  if (groups.length === 0) return null;
  return (
    <Card
      title="Failed webhook deliveries"
      tone="bad"
      flush
      actions={<GoLink to={{ view: 'webhooks', failed: true }}>All failed deliveries</GoLink>}
    >
      <ul class="recent">
        {groups.slice(0, shown).map((group) => (
          <FailedDelivery key={group.newest.id} {...group} />
        ))}
      </ul>
    </Card>
  );
}

function FailedDelivery({ integration, newest, deliveries }: DeliveryFailureGroup): JSX.Element {
  const { id, eventType, url, endpointId, createdAt, lastResult } = newest;
  return (
    <li class="error">
      <GoLink to={{ view: 'webhooks', delivery: id }} class="bar pick recent-link">
        <span class="recent-severity">
          <Icon name="error" label="Error" />
        </span>
        <span class="recent-title semi cut">{showControls(eventType)}</span>
        <span class="recent-detail cut quiet">
          {[integration, deliveries > 1 && `${deliveries} times`, lastResult && describeGroup(lastResult)]
            .flatMap((part) => (part ? showControls(part) : []))
            .join(' · ')}
        </span>
        <span class="number quiet nowrap recent-time">{formatTime(createdAt)}</span>
        <span class="recent-url small quiet wrap-anywhere">{showControls(url ?? endpointId)}</span>
      </GoLink>
    </li>
  );
}
