import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { editTag, parsePage } from '../../src/content/page/index.js';
import { amount } from '../support/proved.js';

it.each([
  ['{% @a/b %}', { x: 1 }, '{% @a/b x=1 %}'],
  ['{% @a/b x=1  y="2" /%}', { x: 1, y: 'a %} "b"' }, '{% @a/b x=1  y="a %\\u007d \\"b\\"" /%}'],
  ['{% @a/b x=1 y=2 %}', { y: 2 }, '{% @a/b y=2 %}'],
  [
    '{% @a/b  data={ "a" : 1 } %}',
    { data: { a: 1 }, 'two words': true },
    '{% @a/b  data={ "a" : 1 } "two words"=true %}',
  ],
])('edits the attributes of the tag %s', (text, props, expected) => {
  expect(editTag(text, 0, props)).toBe(expected);
});

it('rejects edits to an invalid tag or to text that is not a tag', () => {
  expect(editTag('{% @a/b x=y" %}', 0, {})).toBeUndefined();
  expect(editTag('text', 0, {})).toBeUndefined();
});

const json = fc.jsonValue({ maxDepth: 2 });
const props = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }).filter((key) => key !== '__proto__'),
  json,
  { maxKeys: 4 },
);
const around = fc.constantFrom('', '\uFEFF', 'text\r\n\r\n', '# A\n\n', '```\n{% @x/y %}\n```\n\n');

it("changes only the tag's bytes in each of thousands of random edits", () => {
  fc.assert(
    fc.property(around, props, props, around, (before, first, second, after) => {
      const start = before.length;
      const text = `${before}{% @hello/counter %}\r\n\r\n${after}`;
      for (const wanted of [first, second, first]) {
        const edited = editTag(editTag(text, start, first) ?? '', start, wanted) ?? '';
        expect(edited.startsWith(`${before}{% @hello/counter`)).toBe(true);
        expect(edited.endsWith(`%}\r\n\r\n${after}`)).toBe(true);
        const { tags } = parsePage(edited);
        const tag = tags.find((one) => one.start === start);
        // JSON has no -0.
        expect(tag).toMatchObject({ type: 'block' });
        expect(tag?.type === 'block' && tag.props).toEqual(JSON.parse(JSON.stringify(wanted)));
      }
    }),
    { numRuns: amount(700, 3400) },
  );
});
