import { expect, it } from 'vitest';
import { iconFor } from '../../../src/console/ui/icon-paths.js';
import { ContentKitIcon } from '../../../src/runtime/named-values.js';

it('contains every icon that the SDK lists', () => {
  expect(Object.values(ContentKitIcon).filter((name) => iconFor(name) === undefined)).toEqual([]);
});

it.each(['', 'no-such-icon', 'constructor'])('contains no icon named %j', (name) => {
  expect(iconFor(name)).toBeUndefined();
});
