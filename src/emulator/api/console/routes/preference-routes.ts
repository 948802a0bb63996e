import type { Handlers } from '../../../../contract/console-api.js';
import type { preferenceRoutes as contract } from '../../../../contract/routes/preferences.js';
import type { Preferences } from '../../../state/preferences.js';

export const preferenceRoutes = ({
  preferences,
}: {
  preferences: Preferences;
}): Handlers<keyof typeof contract> => ({
  'GET /preferences': () => preferences.all(),
  'PUT /preferences/{key}': ({ key, value }) => preferences.put(key, value),
});
