import type { PlatformBase } from '../../state/platform-base.js';
import type { Context, Hono } from 'hono';
import type { Configure } from '../../calls/edit-configuration.js';
import type { CallRecorder } from '../../calls/call-recorder.js';
import type { ContentEvents } from '../../calls/content-events.js';
import type { Spaces } from '../../state/spaces.js';
import type { Tasks } from '../../calls/scheduled-tasks.js';
import type { Content } from '../../../content/index.js';
import type { Bearer, Tokens } from '../../state/tokens.js';

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
