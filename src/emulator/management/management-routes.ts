import type { PlatformBase } from '../state/platform-base.js';
import type { Context, Hono } from 'hono';
import type { Configure, InstallationPatch } from '../installations/edit-configuration.js';
import type { CallRecorder } from '../calls/call-recorder.js';
import type { ContentEvents } from '../spaces/content-events.js';
import type { Spaces } from '../spaces/spaces.js';
import type { Tasks } from '../time/scheduled-tasks.js';
import type { Content } from '../../content/index.js';
import type { Bearer, Tokens } from '../state/tokens.js';
import { invalid } from '../http/http-error.js';
import { isObject } from '../http/read-json.js';

export interface ManagementDeps extends Pick<PlatformBase, 'registry' | 'addresses' | 'feed' | 'scopes'> {
  configure: Configure;
  spaces: Spaces;
  /** The folders of the spaces, which are read after the platform starts. */
  contents: ReadonlyMap<string, Content>;
  contentEvents: Pick<ContentEvents, 'sync'>;
  tasks: Tasks;
  tokens: Tokens;
  recorder: Pick<CallRecorder, 'noticed'>;
}

export type ManagementEnv = { Variables: { bearer: Bearer } };

/** Adds a group of routes to the API. */
export type ManagementRoutes = (app: Hono<ManagementEnv>, deps: ManagementDeps) => void;

/** Whether a token's owner can see an installation in lists. */
export const reaches = (bearer: Bearer, installation: string): boolean =>
  bearer.kind === 'integration' || bearer.installation === installation;

export const hasExternalId = (c: Context<ManagementEnv>, externalIds: string[]): boolean => {
  const wanted = c.req.query('externalId');
  return wanted === undefined || externalIds.includes(wanted);
};

/** Reads the changes to an installation from a request body. */
export function readPatch(body: Record<string, unknown>): InstallationPatch {
  const { configuration, externalIds } = body;
  if (configuration !== undefined && !isObject(configuration)) {
    throw invalid('configuration must be an object.');
  }
  if (externalIds !== undefined && !isStrings(externalIds)) {
    throw invalid('externalIds must be a list of strings.');
  }
  return { ...(configuration && { configuration }), ...(externalIds && { externalIds }) };
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
