const times = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

const doubling = times(
  9,
  (index) => `a${index + 1}: &a${index + 1} [${`*a${index},`.repeat(8)}*a${index}]\n`,
);

/** Texts that are made to keep a reader busy, or to end it, and the one code that each gives. */
export const bombs: readonly (readonly [name: string, text: string, code: string])[] = [
  ['100,000 opening brackets', '['.repeat(100_000), 'manifest/too-deep'],
  ['5,000 opening brackets', '['.repeat(5000), 'manifest/too-deep'],
  ['100,000 opening braces', '{a: '.repeat(60_000), 'manifest/too-deep'],
  ['100,000 hyphens', '- '.repeat(100_000), 'manifest/too-deep'],
  ['100,000 question marks', '? '.repeat(100_000), 'manifest/too-deep'],
  ['700 indented keys', times(700, (index) => `${' '.repeat(index)}a:\n`), 'manifest/too-deep'],
  ['a billion laughs', `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${doubling}`, 'manifest/too-many-aliases'],
  ['50,000 aliases', `- &a x\n${'- *a\n'.repeat(50_000)}`, 'manifest/too-large'],
  ['an alias in itself', 'a: &a [*a]', 'manifest/syntax'],
  ['60,000 keys', times(60_000, (index) => `k${index}:\n`), 'manifest/too-large'],
  ['20,000 keys', times(20_000, (index) => `k${index}: x\n`), 'manifest/too-many-findings'],
  ['the same key 60,000 times', 'a: 1\n'.repeat(50_000), 'manifest/too-large'],
  ['1 MB of comments', '# comment\n'.repeat(100_000), 'manifest/too-large'],
  ['250 KB of comments', '# comment\n'.repeat(25_000), 'manifest/too-large'],
  ['250 KB on one line', `a: ${'x '.repeat(120_000)}`, 'manifest/missing-key'],
  ['250 KB of empty lines', '\n'.repeat(250_000), 'manifest/too-large'],
  ['60,000 documents', '---\n'.repeat(60_000), 'manifest/several-documents'],
  ['80,000 tags', '!a '.repeat(80_000), 'manifest/too-large'],
  ['80,000 anchors', '&a '.repeat(80_000), 'manifest/too-large'],
  ['200,000 commas', `[${','.repeat(200_000)}`, 'manifest/too-large'],
  ['200,000 quotes', '"'.repeat(200_000), 'manifest/too-large'],
  ['100,000 bad escapes', `"${'\\x'.repeat(100_000)}"`, 'manifest/syntax'],
  ['200,000 colons', ':'.repeat(200_000), 'manifest/syntax'],
  ['30,000 wrong scopes', `scopes:\n${'  - foo\n'.repeat(30_000)}`, 'manifest/too-many-findings'],
  ['20,000 wrong blocks', `blocks:\n${'  - foo: 1\n'.repeat(20_000)}`, 'manifest/too-many-findings'],
  [
    '4,000 properties, and 4,000 others required',
    `configurations:\n  account:\n    properties:\n${times(4000, (index) => `      property${index}:\n        type: boolean\n`)}    required:\n${times(4000, (index) => `      - propertie${index}\n`)}`,
    'manifest/too-many-findings',
  ],
  [
    '9,000 literal secrets',
    `secrets:\n${times(9000, (index) => `  k${index}: x\n`)}`,
    'manifest/too-many-findings',
  ],
  [
    '6,000 comments that ignore',
    '# platform-ignore manifest/syntax: x\n'.repeat(6000),
    'manifest/empty-document',
  ],
  ['__proto__ as a key', '__proto__:\n  name: polluted\n', 'manifest/reserved-key'],
  ['200,000 NULs', '\0'.repeat(200_000), 'manifest/control-character'],
  ['lone surrogates', `name: ${'\uD800'.repeat(50_000)}`, 'manifest/invalid-name'],
];
