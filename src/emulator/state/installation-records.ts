import type { ConfigurationValues } from '../../protocol/environment.js';
import type { StateStore } from '../../store/state/state-store.js';

/** An integration's installation in an organization. */
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

/** An installation in one of its organization's sites or spaces. */
export interface PlacementRecord {
  installation: string;
  kind: PlacementKind;
  /** The site or space id. */
  target: string;
  status: 'active' | 'pending';
  configuration: ConfigurationValues;
  externalIds: string[];
  signingSecret: string;
}

/** Stored data about the integration itself. */
export interface IntegrationRecord {
  version: number;
  /** The build that belongs to the current `version`. */
  build?: string;
  /** True after the first start, or once the author has installed the integration manually. */
  everInstalled: boolean;
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

/** A typed collection in the state. `changed` runs after each write. */
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
