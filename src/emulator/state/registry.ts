import type { Integration } from '../../protocol/integration.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { StateStore } from '../../store/state/state-store.js';
import { createListeners } from '../../base/listeners.js';
import { newSecret } from './new-id.js';
import {
  createCollection,
  placementId,
  type InstallationRecord,
  type IntegrationRecord,
  type PlacementKind,
  type PlacementRecord,
} from './installation-records.js';

/** The current integration and its installations. */
export type Registry = ReturnType<typeof createRegistry>;

export function createRegistry(options: {
  integration: Integration;
  workspace: Workspace;
  state: StateStore;
}) {
  const { workspace, state } = options;
  const changes = createListeners();
  // Cached, because every request needs the version.
  let known: IntegrationRecord | undefined;
  const changed = (): void => {
    known = undefined;
    changes.emit();
  };
  const self = createCollection<IntegrationRecord>(state, 'integration', changed);
  const installations = createCollection<InstallationRecord>(state, 'installations', changed);
  const placements = createCollection<PlacementRecord>(state, 'placements', changed);
  let { integration } = options;
  if (!self.get('self')) self.put('self', firstRecord());

  const record = (): IntegrationRecord => (known ??= self.get('self') ?? firstRecord());
  return {
    integration: () => integration,
    replaceIntegration(next: Integration) {
      integration = next;
      changed();
    },
    record,
    update: (change: Partial<IntegrationRecord>) => self.put('self', { ...record(), ...change }),
    installations,
    placements,
    placement: (installation: string, kind: PlacementKind, target: string) =>
      placements.get(placementId(installation, kind, target)),
    placementsOf: (id: string) => placements.all().filter(({ installation }) => installation === id),
    workspace,
    transaction: <T>(work: () => T): T => state.transaction(work),
    /** Calls the listener after every change. Returns a function that removes the listener. */
    onChange: (listener: () => void) => changes.subscribe(listener),
    /** Must be called when the stored state has been replaced. */
    reread: changed,
  };
}

const firstRecord = (): IntegrationRecord => ({
  version: 1,
  everInstalled: false,
  nextInstallation: 1,
  token: newSecret('integration'),
  signingSecret: newSecret('signing'),
  link: newSecret('link'),
});
