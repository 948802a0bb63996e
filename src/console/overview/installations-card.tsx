import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { api } from '../api/fetch-api.js';
import { findInstalled, targetKey, type Installed } from '../live/where-installed.js';
import type { InstallationResource } from '../../contract/routes/installations.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { useAct } from '../ui/run-and-report.js';
import { propertyTitles } from './property-titles.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Menu } from '../ui/menu.js';
import { CopyButton } from '../ui/copy-button.js';
import { EmptyState } from '../ui/messages/empty-state.js';
import { InstallationStatusView } from '../ui/messages/installation-status.js';
import { GoLink } from '../shell/navigation.js';
import type { Route } from '../shell/route.js';
import type { ConfigurationSection } from '../../protocol/integration.js';
import { useResource } from '../live/use-resource.js';
import { ConfirmDialog } from '../ui/messages/confirm-dialog.js';
import { LoadingState } from '../ui/messages/loading-state.js';

export function InstallationsCard({ platform }: { platform: PlatformResource }): JSX.Element {
  const { installations, organizations } = platform;
  const free = organizations.filter(
    ({ id }) => !installations.some(({ organization }) => organization === id),
  );
  const { busy, act } = useAct();
  /**
   * Whether an organization needs the install link. Unlisted integrations can be installed in other organizations only with
   * that link.
   */
  const needsLink = (organization: string): boolean =>
    platform.integration.visibility === 'unlisted' && organization !== organizations[0]?.id;
  const isClosed = (organization: string): boolean =>
    platform.integration.visibility === 'private' && organization !== organizations[0]?.id;
  const offer = ({ id, title }: (typeof free)[number], kind: 'primary' | 'secondary'): JSX.Element => (
    <Button
      icon="plus"
      busy={busy}
      kind={kind}
      onPress={() => act(() => install(id, needsLink(id)), `Installed: ${title}`)}
    >
      {`Install in ${title}${needsLink(id) ? ' using the link' : ''}`}
    </Button>
  );
  const first = installations.length === 0 ? free.find(({ id }) => !isClosed(id)) : undefined;
  const others = free.filter((organization) => organization !== first);
  return (
    <Card
      title="Installations"
      flush
      actions={
        others.length > 0 && (
          <Menu label="Other organizations">
            {others.map((organization) =>
              isClosed(organization.id) ? (
                <p class="quiet small" key={organization.id}>
                  {organization.title}: a private integration can be installed only in its own organization.
                </p>
              ) : (
                offer(organization, 'secondary')
              ),
            )}
          </Menu>
        )
      }
    >
      {first && (
        <EmptyState icon="configuration" title="Not installed" action={offer(first, 'primary')}>
          <p>Calls, blocks and webhooks work once it is installed.</p>
        </EmptyState>
      )}
      {installations.map((installation) => (
        <InstallationRow key={installation.id} installation={installation} platform={platform} />
      ))}
    </Card>
  );
}

async function install(organization: string, throughLink: boolean): Promise<void> {
  const link = throughLink ? (await api('GET /install-link')).link : undefined;
  await api('POST /installations', { organization, link });
}

interface InstallationRowProps {
  installation: InstallationResource;
  platform: PlatformResource;
}

function InstallationRow({ installation, platform }: InstallationRowProps): JSX.Element {
  const { id, status, organization, urls } = installation;
  const [leaving, setLeaving] = useState<Leaving>();
  const { busy, act } = useAct();
  const title = platform.organizations.find((one) => one.id === organization)?.title ?? organization;
  return (
    <div class="installation">
      <div class="bar align-start installation-head">
        <div class="grow">
          <div class="row">
            <GoLink to={{ view: 'configuration', installation: id }} class="plain strong">
              {title}
            </GoLink>
            <InstallationStatusView status={status} />
          </div>
          <p class="quiet small mono wrap-anywhere">{id}</p>
          <PendingReason
            installed={installation}
            section={platform.integration.configurations.account}
            to={{ view: 'configuration', installation: id }}
          />
        </div>
        <Menu label={`Actions for ${title}`}>
          <CopyButton text={urls.publicEndpoint} label="Copy public endpoint" showLabel />
          {status === 'paused' ? (
            <Button icon="play" busy={busy} onPress={() => act(() => change(id, 'resume'), 'Resumed')}>
              Resume
            </Button>
          ) : (
            <Button icon="pause" busy={busy} onPress={() => act(() => change(id, 'pause'), 'Paused')}>
              Pause
            </Button>
          )}
          <Button
            kind="danger"
            icon="trash"
            onPress={() => setLeaving({ title, target: { installation: id }, remove: () => uninstall(id) })}
          >
            Uninstall
          </Button>
        </Menu>
      </div>
      <Placements
        targets={possibleTargets(platform, installation)}
        configurations={platform.integration.configurations}
        busy={busy}
        onAdd={(target) => act(() => addTo(target))}
        onRemove={(found) =>
          setLeaving({ title: found.name, target: found.target, remove: () => removeFrom(found) })
        }
      />
      {leaving && (
        <UninstallDialog
          integration={platform.integration.title}
          title={leaving.title}
          target={leaving.target}
          onClose={() => setLeaving(undefined)}
          onUninstall={() => act(leaving.remove, `Uninstalled from ${leaving.title}`)}
        />
      )}
    </div>
  );
}

interface PendingReasonProps {
  installed: Pick<Installed, 'status' | 'problems'>;
  section: ConfigurationSection | undefined;
  to: Route;
}

function PendingReason({ installed, section, to }: PendingReasonProps): JSX.Element | null {
  const { status, problems } = installed;
  if (status !== 'pending' || problems.length === 0) return null;
  return (
    <p class="small pending-reason wrap-anywhere">
      <GoLink to={to}>Missing or invalid: {propertyTitles(problems, section)}</GoLink>
    </p>
  );
}

interface PlacementsProps {
  targets: readonly PossibleTarget[];
  configurations: PlatformResource['integration']['configurations'];
  busy: boolean;
  onAdd: (target: PossibleTarget) => void;
  onRemove: (target: PossibleTarget) => void;
}

function Placements({ targets, configurations, busy, onAdd, onRemove }: PlacementsProps): JSX.Element {
  return (
    <ul class="placements">
      {targets.map((possible) => {
        const { kind, target, name, found } = possible;
        return (
          <li class="bar" key={targetKey(target)}>
            <span class="quiet small placement-kind">{kind}</span>
            {found ? (
              <>
                <GoLink to={{ view: 'configuration', ...target }} class="grow cut plain">
                  {name}
                </GoLink>
                <InstallationStatusView status={found.status} />
              </>
            ) : (
              <>
                <span class="grow cut quiet">{name}</span>
                <span class="quiet small">not installed</span>
              </>
            )}
            <Button
              size="small"
              kind="quiet"
              busy={busy}
              onPress={() => (found ? onRemove : onAdd)(possible)}
            >
              {found ? 'Remove' : 'Install'}
              <span class="only-read-aloud">
                {found ? ' from ' : ' in '}
                {name}
              </span>
            </Button>
            {found && (
              <PendingReason
                installed={found}
                section={configurations[kind]}
                to={{ view: 'configuration', ...target }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The installation that the user is about to remove. */
interface Leaving {
  title: string;
  target: InstalledTarget;
  remove: () => Promise<unknown>;
}

interface PossibleTarget {
  kind: 'site' | 'space';
  id: string;
  target: InstalledTarget;
  name: string;
  /** Undefined if the integration is not installed there. */
  found: ReturnType<typeof findInstalled>;
}

function possibleTargets(
  platform: PlatformResource,
  { id: installation, organization }: InstallationResource,
): PossibleTarget[] {
  const { target: wanted } = platform.integration;
  return (['site', 'space'] as const)
    .filter((kind) => wanted === 'all' || wanted === kind)
    .flatMap((kind) =>
      platform[`${kind}s`]
        .filter((one) => one.organization === organization)
        .map(({ id, title }) => {
          const target = { installation, [kind]: id };
          return { kind, id, target, name: title, found: findInstalled(platform, target) };
        }),
    );
}

const change = (installation: string, verb: 'pause' | 'resume') =>
  api(`POST /installations/{installation}/${verb}`, { installation });

const uninstall = (installation: string) => api('DELETE /installations/{installation}', { installation });

const addTo = ({ kind, id, target: { installation } }: PossibleTarget) =>
  api(`POST /installations/{installation}/${kind}s/{target}`, { installation, target: id });

const removeFrom = ({ kind, id, target: { installation } }: PossibleTarget) =>
  api(`DELETE /installations/{installation}/${kind}s/{target}`, { installation, target: id });

interface UninstallDialogProps {
  integration: string;
  title: string;
  target: InstalledTarget;
  onClose: () => void;
  onUninstall: () => void;
}

function UninstallDialog({
  integration,
  title,
  target,
  onClose,
  onUninstall,
}: UninstallDialogProps): JSX.Element {
  const { data, error } = useResource(
    `dependents ${targetKey(target)}`,
    () => api('GET /installations/{installation}/dependents', target),
    ({ type }) => ['installation', 'endpoint', 'delivery', 'block', 'task'].includes(type),
  );
  return (
    <ConfirmDialog
      title={`Uninstall ${integration} from ${title}?`}
      action="Uninstall"
      danger
      onClose={onClose}
      onConfirm={onUninstall}
    >
      {data ? (
        <>
          <p>Uninstalling also removes:</p>
          <ul class="dependents">
            {data.map(({ what, names }) => (
              <li key={what} class="wrap-anywhere">
                {what}
                {names.length > 0 && <span class="quiet">: {names.join(', ')}</span>}
              </li>
            ))}
          </ul>
          <p>Installing it again restores none of this.</p>
          <p class="quiet small">
            Queued tasks don't run, and pending deliveries fail. Recorded calls and deliveries are kept.
          </p>
        </>
      ) : error === undefined ? (
        <LoadingState lines={3} />
      ) : (
        <p class="field-error">{error}</p>
      )}
    </ConfirmDialog>
  );
}
