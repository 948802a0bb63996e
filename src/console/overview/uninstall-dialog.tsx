import type { JSX } from 'preact';
import type { InstalledTarget } from '../../contract/basics/resources.js';
import { api } from '../api/fetch-api.js';
import { useResource } from '../live/use-resource.js';
import { targetKey } from '../live/where-installed.js';
import { ConfirmDialog } from '../ui/messages/confirm-dialog.js';
import { LoadingState } from '../ui/messages/loading-state.js';

interface UninstallDialogProps {
  /** The title of the organization, site or space. */
  title: string;
  target: InstalledTarget;
  onClose: () => void;
  onUninstall: () => void;
}

/**
 * Asks the user to confirm that an installation is to be removed from a target, and lists everything else that will be removed.
 */
export function UninstallDialog({ title, target, onClose, onUninstall }: UninstallDialogProps): JSX.Element {
  const { data, error } = useResource(
    `dependents ${targetKey(target)}`,
    () => api('GET /installations/{installation}/dependents', target),
    ({ type }) => ['installation', 'endpoint', 'delivery', 'block', 'task'].includes(type),
  );
  return (
    <ConfirmDialog
      title={`Uninstall from ${title}?`}
      action="Uninstall"
      danger
      onClose={onClose}
      onConfirm={onUninstall}
    >
      {data ? (
        <>
          <p>This also removes:</p>
          <ul class="dependents">
            {data.map(({ what, names }) => (
              <li key={what} class="wrap-anywhere">
                {what}
                {names.length > 0 && <span class="quiet">: {names.join(', ')}</span>}
              </li>
            ))}
          </ul>
          <p class="quiet small">Recorded calls and deliveries are kept.</p>
        </>
      ) : error === undefined ? (
        <LoadingState lines={3} />
      ) : (
        <p class="field-error">{error}</p>
      )}
    </ConfirmDialog>
  );
}
