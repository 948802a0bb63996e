import type { JSX } from 'preact';
import { InstallationStatusView } from '../ui/messages/installation-status.js';
import { Status } from '../ui/status.js';
import type { Installed } from '../live/where-installed.js';
import { useConnections } from './use-connections.js';

/** The status of a target. Failed if it is pending because its latest OAuth connection failed. */
export function TargetStatus({ configured }: { configured: Installed }): JSX.Element {
  return configured.status === 'pending' ? (
    <PendingStatus configured={configured} />
  ) : (
    <InstallationStatusView status={configured.status} />
  );
}

function PendingStatus({ configured: { target } }: { configured: Installed }): JSX.Element {
  const latest = useConnections(target).find(({ outcome }) => outcome !== 'running');
  return latest?.outcome === 'failed' ? (
    <Status tone="bad" live>
      Failed
    </Status>
  ) : (
    <InstallationStatusView status="pending" />
  );
}
