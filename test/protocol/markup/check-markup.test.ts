import { expect, test } from 'vitest';
import { checkMarkup } from '../../../src/protocol/markup/check-markup.js';
import { processorMs } from '../../support/processor-time.js';

const press = { action: 'go' };

test.each<[what: string, markup: unknown, messages: string[]]>([
  ['nothing', null, []],
  ['text', 'hello', []],
  [
    'known elements and properties',
    { type: 'block', children: [{ type: 'button', label: 'Go', onPress: press }, 'text', 3] },
    [],
  ],
  ['an unknown element', { type: 'txet', children: [] }, ['<txet> is not an element of the platform.']],
  [
    'elements in an unknown element',
    { type: 'columns', children: [{ type: 'txet', children: [] }] },
    ['<columns> is not an element of the platform.', '<txet> is not an element of the platform.'],
  ],
  [
    'another property',
    { type: 'button', lable: 'Go', onPress: press },
    ['<button> has no property "lable".'],
  ],
  ['a property that is null', { type: 'divider', color: null }, ['<divider> has no property "color".']],
  ['children where none may be', { type: 'divider', children: [] }, ['<divider> cannot have children.']],
  ['an inherited element', { type: 'constructor' }, ['<constructor> is not an element of the platform.']],
  ['an inherited property name', { type: 'hint', toString: 1 }, ['<hint> has no property "toString".']],
  ['a repeated problem', [{ type: 'a' }, [{ type: 'a' }]], ['<a> is not an element of the platform.']],
  [
    'markup in properties',
    {
      type: 'input',
      label: 'a',
      element: { type: 'select', state: 'a', options: [{ id: 'a', label: 'a', icon: { type: 'imge' } }] },
    },
    ['<imge> is not an element of the platform.'],
  ],
  [
    "a block's controls",
    { type: 'block', children: [], controls: [[{ label: 'a', icon: { type: 'ikon' }, onPress: press }]] },
    ['<ikon> is not an element of the platform.'],
  ],
  [
    'data that looks like markup',
    {
      type: 'block',
      controls: [{ label: 'a', onPress: { action: 'go', item: { type: 'issue' } } }],
      children: [
        { type: 'button', label: 'a', onPress: { action: 'go', item: { type: 'issue' } } },
        { type: 'webframe', source: { url: 'https://example.com' }, data: { type: 'issue' } },
        { type: 'modal', children: [], returnValue: { type: 'issue' } },
      ],
    },
    [],
  ],
])('checks markup for problems: %s', (_, markup, messages) =>
  expect(checkMarkup(markup).map(({ message }) => message)).toEqual(messages),
);

test.each([
  [{ type: 'Block' }, 'Did you mean <block>?'],
  [{ type: 'txet' }, 'Did you mean <text>?'],
  [{ type: 'spreadsheet' }, "The platform passes it on, but doesn't render it."],
  [{ type: 'button', onClick: 1 }, 'Its properties are onPress, trailingIcon, style, '],
  [{ type: 'button', onpress: 1 }, 'Did you mean "onPress"?'],
  [{ type: 'hstack', algin: 1 }, 'Did you mean "align"?'],
])('suggests how to fix the element %o', (markup, help) =>
  expect(checkMarkup(markup)[0]?.help).toContain(help),
);

test('checks markup of any depth and size quickly', () => {
  let deep: unknown = 'x';
  for (let depth = 0; depth < 100_000; depth += 1) deep = { type: 'box', children: [deep] };
  expect(checkMarkup(deep)).toEqual([]);
  const many = Array.from({ length: 100_000 }, (_, index) => ({ type: `element${index}`, [`p${index}`]: 1 }));
  expect(processorMs(() => expect(checkMarkup(many)).toHaveLength(20))).toBeLessThan(5_000);
});
