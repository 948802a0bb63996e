import type { ConfigurationValues } from '../../protocol/environment.js';
import type { StateStore } from '../../store/state/state-store.js';

/** An installation of the integration in an organization. */
export interface InstallationRecord {
  id: string;
  organization: string;
  status: 'active' | 'pending';
  paused: boolean;
  configuration: ConfigurationValues;
  externalIds: string[];
  token: string;
  signingSecret: string;
  createdAt: number;
}

export type PlacementKind = 'site' | 'space';

/** An installation on a site or in a space of its organization. */
export interface PlacementRecord {
  installation: string;
  kind: PlacementKind;
  /** The id of the site or space. */
  target: string;
  status: 'active' | 'pending';
  configuration: ConfigurationValues;
  externalIds: string[];
  signingSecret: string;
}

/** What is stored about the integration itself. */
export interface IntegrationRecord {
  version: number;
  /** The build that the current `version` belongs to. */
  build?: string;
  /** When this version began. Absent in state saved by older versions. */
  versionSince?: number;
  /** True after the first start, or once the author has installed the integration. */
  everInstalled: boolean;
  /** How many milliseconds the clock is ahead of the machine's. */
  clockAhead?: number;
  nextInstallation: number;
  token: string;
  signingSecret: string;
  /** The secret part of an unlisted integration's install link. */
  link: string;
}

export interface Collection<T> {
  get(id: string): T | undefined;
  all(): T[];
  put(id: string, value: T): void;
  delete(id: string): void;
}

/** Creates a typed collection in the state. `changed` is called after each write. */
export const createCollection = <T>(
  state: StateStore,
  name: string,
  changed: () => void = () => {},
): Collection<T> => ({
  get: (id) => state.get<T>(name, id),
  all: () => state.list<T>(name).map(({ value }) => value),
  put(id, value) {
    state.put(name, id, value);
    changed();
  },
  delete(id) {
    state.delete(name, id);
    changed();
  },
});

export const placementId = (installation: string, kind: PlacementKind, target: string): string =>
  `${installation}/${kind}s/${target}`;
