import type { Handlers } from '../../../../contract/console-api.js';
import type { connectionRoutes as contract } from '../../../../contract/routes/connections.js';
import type { Connections } from '../../../oauth/connections/read-connections.js';

export const connectionRoutes = ({ list }: Connections): Handlers<keyof typeof contract> => ({
  'GET /connections': list,
});
