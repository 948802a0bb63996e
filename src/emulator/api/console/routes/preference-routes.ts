import type { Preferences } from '../../../state/preferences.js';
import { defineRoute, object, type ConsoleRoute } from '../console-route.js';

export function preferenceRoutes({ preferences }: { preferences: Preferences }): ConsoleRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/preferences',
      summary: 'What the console remembers: theme, layout, drafts',
      answer: 'A list of keys and values; `current` marks those written since the platform was started.',
      // A draft is what its author typed; masked, it would come back changed.
      reveals: true,
      run: () => preferences.all(),
    }),
    defineRoute({
      method: 'PUT',
      path: '/preferences/{key}',
      summary: 'Remember a value, or remove it',
      body: object({ value: {} }),
      answer: 'Nothing. Without a `value` the key is removed. 413 if the value is larger than 64 KiB.',
      async run({ part, body }) {
        const { value } = await body();
        preferences.put(part('key'), value);
      },
    }),
  ];
}
