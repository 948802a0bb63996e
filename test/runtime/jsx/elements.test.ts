import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listMarkupElements } from '../../../scripts/list-markup-elements.js';
import { markupElements } from '../../../src/protocol/generated/markup-elements.js';

const types = fileURLToPath(new URL('../../../src/runtime/jsx/elements.ts', import.meta.url));

test('lists the same markup elements in the table as in the types', () => {
  expect(markupElements).toEqual(listMarkupElements(types));
  expect(markupElements).toMatchObject({
    button: { label: false, icon: true, onPress: false },
    block: { children: true, controls: true },
    select: { options: true },
    webframe: { data: false },
  });
});
