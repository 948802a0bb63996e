import { expect, it } from 'vitest';
import { iconFor } from '../../../src/console/ui/icon-paths.js';
import { ContentKitIcon } from '../../../src/runtime/named-values.js';

it('has every icon that the SDK names', () => {
  expect(Object.values(ContentKitIcon).filter((name) => iconFor(name) === undefined)).toEqual([]);
});

it.each(['', 'no-such-icon', 'constructor'])('has no icon for %j', (name) => {
  expect(iconFor(name)).toBeUndefined();
});
