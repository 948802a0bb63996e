import type { Static } from 'typebox';
import { callRoutes } from './routes/calls.js';
import { componentRoutes } from './routes/components.js';
import { configurationRoutes } from './routes/configuration.js';
import { connectionRoutes } from './routes/connections.js';
import { contentRoutes } from './routes/content.js';
import { editorRoutes } from './routes/editor.js';
import { eventRoutes } from './routes/events.js';
import { installationRoutes } from './routes/installations.js';
import { listingRoutes } from './routes/listing.js';
import { liveRoutes } from './routes/live.js';
import { overviewRoutes } from './routes/overview.js';
import { preferenceRoutes } from './routes/preferences.js';
import { recordingRoutes } from './routes/recordings.js';
import { requestRoutes } from './routes/requests.js';
import { stateRoutes } from './routes/state.js';
import { webhookRoutes } from './routes/webhooks.js';

/** All routes of the console's API. Each route has one entry in `routes/` and one handler in the emulator. */
export const consoleApi = {
  ...overviewRoutes,
  ...editorRoutes,
  ...contentRoutes,
  ...listingRoutes,
  ...installationRoutes,
  ...configurationRoutes,
  ...connectionRoutes,
  ...eventRoutes,
  ...componentRoutes,
  ...callRoutes,
  ...recordingRoutes,
  ...requestRoutes,
  ...webhookRoutes,
  ...stateRoutes,
  ...preferenceRoutes,
  ...liveRoutes,
};

type ConsoleApi = typeof consoleApi;
export type RouteName = keyof ConsoleApi;
export type Input<Name extends RouteName> = Static<ConsoleApi[Name]['input']>;
export type Output<Name extends RouteName> = Static<ConsoleApi[Name]['output']>;

/** The server's handlers: for each route, a function that turns validated input into output. */
export type Handlers<Name extends RouteName> = {
  [One in Name]: (input: Input<One>, request: Request) => Output<One> | Promise<Output<One>>;
};
