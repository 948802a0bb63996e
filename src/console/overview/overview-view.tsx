import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from '../api/fetch-api.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { followRecentCalls, recentCalls } from '../live/recent-calls.js';
import { Card } from '../ui/card.js';
import { useCell } from '../ui/state/observable-cell.js';
import { CopyButton } from '../ui/copy-button.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { Icon } from '../ui/icon.js';
import { IntegrationIcon } from '../ui/messages/integration-icon.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Chip, Status } from '../ui/status.js';
import { GoLink } from '../shell/navigation.js';
import { formatDuration, formatTime } from '../text/format.js';
import { describeLine, outcomeWords } from '../calls/detail/describe-call.js';
import { ActivityCard } from './activity-card.js';
import { InstallationsCard } from './installations-card.js';
import type { BuildReport } from '../../protocol/build-report.js';
import { Problem } from '../ui/messages/problem.js';

export function OverviewView({ platform }: { platform: PlatformResource }): JSX.Element {
  const { integration } = platform;
  useEffect(followRecentCalls, []);
  return (
    <div class="page">
      <section class="hero">
        <IntegrationIcon integration={integration} size={56} />
        <div class="grow">
          <h2 class="hero-title wrap-anywhere">{integration.title}</h2>
          <p class="hero-text wrap-anywhere">{integration.description}</p>
          <div class="row hero-facts">
            <Chip>{integration.name}</Chip>
            <Status tone="calm">{integration.visibility}</Status>
            <Status tone="calm">{`version ${platform.version}`}</Status>
          </div>
        </div>
      </section>
      <div class="page-columns">
        <div class="stack">
          <BuildCard
            build={platform.lastBuild}
            version={platform.version}
            hasScript={integration.script !== undefined}
          />
          <ActivityCard />
          <InstallationsCard platform={platform} />
          <RecentCard />
        </div>
        <div class="stack">
          <AddressesCard platform={platform} />
          <ScopesCard scopes={integration.scopes} />
        </div>
      </div>
    </div>
  );
}

function AddressesCard({ platform }: { platform: PlatformResource }): JSX.Element {
  const { urls, integration } = platform;
  const rows: [string, string][] = [
    ['Public endpoint', urls.publicEndpoint],
    ['Envelope', urls.envelope],
    ['Management API', urls.api],
    ['Published content', urls.publicContentEndpoint],
  ];
  return (
    <Card title="Addresses" flush>
      <ul class="addresses">
        {integration.visibility === 'unlisted' && (
          <li>
            <div class="grow">
              <p class="small quiet">Install link</p>
              <p class="small">Anyone with this link can install the integration.</p>
            </div>
            <CopyButton
              text={async () => (await api('GET /install-link')).url}
              label="Copy the address: Install link"
            />
          </li>
        )}
        {rows.map(([name, address]) => (
          <li key={name}>
            <div class="grow">
              <p class="small quiet">{name}</p>
              <p class="mono wrap-anywhere">{address}</p>
            </div>
            <CopyButton text={address} label={`Copy the address: ${name}`} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ScopesCard({ scopes }: { scopes: readonly string[] }): JSX.Element {
  return (
    <Card title="Scopes">
      {scopes.length === 0 ? (
        <p class="quiet">The manifest requests no scopes.</p>
      ) : (
        <ul class="chips">
          {scopes.map((scope) => (
            <li key={scope}>
              <Chip>{scope}</Chip>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function RecentCard(): JSX.Element {
  const { lines, loading } = useCell(recentCalls.view);
  return (
    <Card title="Latest calls" flush actions={<GoLink to={{ view: 'calls' }}>All calls</GoLink>}>
      {lines.length === 0 && loading ? (
        <LoadingState />
      ) : lines.length === 0 ? (
        <EmptyState icon="calls" title="Nothing yet">
          <p>Calls appear here as they happen.</p>
        </EmptyState>
      ) : (
        <ul class="recent">
          {lines.slice(0, 7).map((line) => {
            const { title, detail } = describeLine(line);
            const { tone, text } = outcomeWords(line);
            return (
              <li key={line.id}>
                <GoLink to={{ view: 'calls', call: line.id }} class="recent-link">
                  <span class="recent-title cut">{title}</span>
                  <span class="recent-detail cut quiet">{detail}</span>
                  <Status tone={tone}>{text}</Status>
                  <span class="number quiet recent-ms">{formatDuration(line.durationMs)}</span>
                  <span class="number quiet recent-time">{formatTime(line.time)}</span>
                  <Icon name="right" size={14} />
                </GoLink>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

interface BuildCardProps {
  build: BuildReport | undefined;
  version: number;
  hasScript: boolean;
}

function BuildCard({ build, version, hasScript }: BuildCardProps): JSX.Element {
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
            {hasScript ? `Version ${version} is running` : 'The manifest has no script'}
            {build?.durationMs !== undefined && `, built in ${formatDuration(build.durationMs)}`}
            {build && ` at ${formatTime(build.time)}`}. Each save that builds becomes the next version.
          </p>
        ) : (
          <p>
            {build?.what === 'manifest' ? 'The manifest has errors.' : 'The last save does not build.'}{' '}
            <strong>Version {version} is still running</strong> until you fix it.
          </p>
        )}
        {build?.problems.map((problem, index) => (
          <Problem key={index} problem={problem} />
        ))}
      </div>
    </Card>
  );
}
