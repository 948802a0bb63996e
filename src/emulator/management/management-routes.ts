import type { Context, Hono } from 'hono';
import type { Addresses } from '../addresses.js';
import type { Configure } from '../configure.js';
import type { EventFeed } from '../event-feed.js';
import type { Registry } from '../registry.js';
import type { Spaces } from '../spaces.js';
import type { Tasks } from '../tasks.js';
import type { Bearer, Tokens } from '../tokens.js';

export interface ManagementDeps {
  registry: Registry;
  addresses: Addresses;
  configure: Configure;
  spaces: Spaces;
  tasks: Tasks;
  tokens: Tokens;
  feed: EventFeed;
  scopes: 'warn' | 'enforce';
}

export type ManagementEnv = { Variables: { bearer: Bearer } };

/** Adds some of the routes to the API. */
export type ManagementRoutes = (app: Hono<ManagementEnv>, deps: ManagementDeps) => void;

/** Which installations a token sees in lists. */
export const reaches = (bearer: Bearer, installation: string): boolean =>
  bearer.kind === 'integration' || bearer.installation === installation;

export const hasExternalId = (c: Context<ManagementEnv>, externalIds: string[]): boolean => {
  const wanted = c.req.query('externalId');
  return wanted === undefined || externalIds.includes(wanted);
};
