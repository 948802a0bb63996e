import { expect, test } from 'vitest';
import { createElement, Fragment, type MarkupNode } from '../../../src/runtime/index.js';
import { jsxDEV } from '../../../src/runtime/jsx-dev-runtime.js';
import { jsx, jsxs } from '../../../src/runtime/jsx-runtime.js';

const Title = ({ text, children }: { text: string; children?: MarkupNode }) => (
  <box>
    <text style="bold">{text}</text>
    {children}
  </box>
);
const Nothing = () => null;
const Several = () => [<text>a</text>, 'b'];
const word = (value: string) => ({ type: 'text', children: [value] });

const cases: [string, MarkupNode, MarkupNode][] = [
  ['an element', <divider size="large" />, { type: 'divider', size: 'large' }],
  ['a child', <text>a</text>, { type: 'text', children: ['a'] }],
  ['children', <block>{['a', 1]}b</block>, { type: 'block', children: ['a', 1, 'b'] }],
  [
    'nested arrays',
    <block>{[['a', ['b', [<text>c</text>]]], []]}</block>,
    { type: 'block', children: ['a', 'b', word('c')] },
  ],
  [
    'children that are dropped',
    <block>
      {null}
      {undefined}
      {true}
      {false}
    </block>,
    { type: 'block', children: [] },
  ],
  [
    'kept falsy values',
    <block>{[0, '', Number.NaN]}</block>,
    { type: 'block', children: [0, '', Number.NaN] },
  ],
  ['one dropped child', <block>{false}</block>, { type: 'block', children: [] }],
  [
    'a fragment in an element',
    <block>
      <>
        <text>a</text>
        <>b</>
      </>
    </block>,
    { type: 'block', children: [word('a'), 'b'] },
  ],
  ['a fragment', <>a{null}</>, ['a']],
  ['an empty fragment', <></>, []],
  [
    'function',
    <Title text="x" />,
    { type: 'box', children: [{ type: 'text', style: 'bold', children: ['x'] }] },
  ],
  [
    'a function with children',
    <Title text="x">
      <text>y</text>
      {'z'}
    </Title>,
    { type: 'box', children: [{ type: 'text', style: 'bold', children: ['x'] }, word('y'), 'z'] },
  ],
  [
    'functions that return nothing or several elements',
    <block>
      <Nothing />
      <Several />
    </block>,
    { type: 'block', children: [word('a'), 'b'] },
  ],
  ['a key', <text key="k">a</text>, word('a')],
  [
    'elements in a list, with keys',
    <block>
      {['a', 'b'].map((name) => (
        <text key={name}>{name}</text>
      ))}
    </block>,
    { type: 'block', children: [word('a'), word('b')] },
  ],
  [
    'elements as props',
    <input label="Name" hint={<text>who</text>} element={<textinput state="name" />} />,
    { type: 'input', label: 'Name', hint: word('who'), element: { type: 'textinput', state: 'name' } },
  ],
];
test.each(cases)('creates markup as plain data for %s', (_, made, data) => {
  expect(made).toEqual(data);
  expect(JSON.parse(JSON.stringify(made))).toEqual(JSON.parse(JSON.stringify(data)));
});

test('keeps spread properties in an element', () => {
  const props = { label: 'Go', onPress: { action: 'go', id: 7 } };
  expect(<button {...props} />).toEqual({ type: 'button', label: 'Go', onPress: { action: 'go', id: 7 } });
});

test('keeps unknown elements in the markup', () => {
  expect(jsx('spacer', { size: 3 })).toEqual({ type: 'spacer', size: 3 });
});

test('creates the same markup with jsx, jsxs and jsxDEV', () => {
  expect([jsxs, jsxDEV]).toEqual([jsx, jsx]);
});

test.each([
  ['no props', createElement('divider', null), { type: 'divider' }],
  [
    'children',
    createElement('text', { style: 'bold' }, 'a', null, ['b']),
    { type: 'text', style: 'bold', children: ['a', 'b'] },
  ],
  ['children in the props', createElement('text', { children: 'a' }), { type: 'text', children: ['a'] }],
  ['a key', createElement('text', { key: 'k' }, 'a'), { type: 'text', children: ['a'] }],
  [
    'a function as its type',
    createElement(Title, { text: 'x' }),
    { type: 'box', children: [{ type: 'text', style: 'bold', children: ['x'] }] },
  ],
  ['a fragment as its type', createElement(Fragment, null, 'a', false), ['a']],
])('creates an element with %s', (_, made, data) => {
  expect(made).toEqual(data);
});
