import { expect, it } from 'vitest';
import { iconFor } from '../../../src/console/ui/icon-paths.js';
import { ContentKitIcon } from '../../../src/runtime/icons-and-sync-states.js';

it('draws every icon that the SDK lists', () => {
  expect(Object.values(ContentKitIcon).filter((name) => iconFor(name) === undefined)).toEqual([]);
});

it.each(['', 'no-such-icon', 'constructor'])('draws no icon for the name %j', (name) => {
  expect(iconFor(name)).toBeUndefined();
});
