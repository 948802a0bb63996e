import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/manifests/${name}/platform-manifest.yaml`, import.meta.url), 'utf8');

const odd = `a:
- b
- c: d
  e: f
- 'it''s' # c
lit: |
  x
   y

  z

k: |-
    foo
    # not a comment
  # a comment
folded: >-
  one
  two

  three
z: "q \\n"
n: 1.5
m: -3
e:
f: []
g: {}
h: [a, b c, d:e, 'f', "g"] # x
on: ~
`;

/** Manifests of every shape, and YAML that no manifest needs. */
export const seeds: readonly string[] = [
  ...['block', 'oauth', 'webhook', 'content', 'compact'].map(fixture),
  odd,
  odd.replaceAll('\n', '\r\n'),
  `---\n${odd}`,
];

/** What has a meaning in YAML, or looks as if it had. */
const scraps =
  ' |  |\n|\n\n|- |-|: |:|#| #|"|\'|[|]|{|}|,|>|&a |*a|!t |?|? |\t|\r\n|\r|a|1|0x1|1e3|.5|true|null|~|---\n|...\n|%|@|`|\\|é|🚀|\u00A0|\uFEFF|\u2028|\0|\u0007|<<: x\n|__proto__: 1\n|=|${{ env.X }}|.inf|+1|-1|--|- - a|  - |   |      |x: y\n|  x: y\n|01|1_000|0o7|2001-01-01|...|-.|yes|\uD800'
    .split('|')
    .concat('|', '|-', '|+', '|2\n', ' |\n  a\n');

type Edit = readonly [
  kind: 'insert' | 'delete' | 'cut' | 'indent' | 'outdent' | 'repeat',
  at: number,
  scrap: string,
];

function edit(text: string, [kind, place, scrap]: Edit): string {
  const at = Math.floor(place * (text.length + 1));
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const nextLine = text.indexOf('\n', at) + 1 || text.length;
  const head = text.slice(0, lineStart);
  switch (kind) {
    case 'insert':
      return text.slice(0, at) + scrap + text.slice(at);
    case 'delete':
      return text.slice(0, at) + text.slice(at + scrap.length + 1);
    case 'cut':
      return text.slice(0, at);
    case 'indent':
      return `${head}${' '.repeat(scrap.length)}${text.slice(lineStart)}`;
    case 'outdent':
      return head + text.slice(lineStart).replace(/^ {1,2}/, '');
    case 'repeat':
      return text.slice(0, nextLine) + text.slice(lineStart, nextLine) + text.slice(nextLine);
  }
}

const edits: fc.Arbitrary<Edit> = fc.tuple(
  fc.oneof(
    { arbitrary: fc.constant('insert' as const), weight: 6 },
    { arbitrary: fc.constantFrom('delete', 'indent', 'outdent', 'repeat'), weight: 4 },
    { arbitrary: fc.constant('cut' as const), weight: 1 },
  ),
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(...scraps),
);

/** Good manifests with some things changed at random, and a few texts of no shape at all. */
export const mutatedText: fc.Arbitrary<string> = fc.oneof(
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...seeds), fc.array(edits, { minLength: 1, maxLength: 5 }))
      .map(([seed, changes]) => changes.reduce(edit, seed)),
    weight: 20,
  },
  {
    arbitrary: fc.array(fc.constantFrom(...scraps), { maxLength: 60 }).map((some) => some.join('')),
    weight: 2,
  },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 200 }), weight: 1 },
);

/** Good manifests with a single thing changed: most of them are still YAML that people write. */
export const nudgedText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...seeds), edits)
  .map(([seed, change]) => edit(seed, change));
