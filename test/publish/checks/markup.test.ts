import { expect, test } from 'vitest';
import { positionOfMarkup } from '../../../src/publish/checks/position-of-markup.js';
import { inSource } from './defect.js';
import { check, createProject, type Files } from '../project-under-check.js';

/** Returns the check's verdict and `path:line:column message` for each finding. */
async function checked(files: Files): Promise<[verdict: string | undefined, found: string[]]> {
  await using fixture = await createProject(files);
  const { report, checks } = await check(fixture);
  const found = report.diagnostics.filter(({ code }) => code === 'publish/unknown-markup');
  return [
    checks.find(({ id }) => id === 'publish/unknown-markup')?.verdict,
    found.map(({ file, range, message, help }) => {
      const { line, column } = range?.start ?? {};
      return `${file.slice(file.indexOf('/project/') + '/project/'.length)}:${line}:${column} ${message} ${help}`;
    }),
  ];
}

const weather = '<block><text>Sunny</text></block>';

test.each<[what: string, markup: string, verdict: string, found: string[]]>([
  ['known markup', weather, 'pass', []],
  [
    'an unknown element',
    '<block><txet>Sunny</txet></block>',
    'warn',
    ['src/index.tsx:6:20 Component weather: <txet> is not an element of the platform. Did you mean <text>?'],
  ],
  [
    'an unknown property after known ones',
    "<block><button label={[1].map((one) => `${one} > 0`).join('>')} onpress={{ action: 'a' }} /></block>",
    'warn',
    ['src/index.tsx:6:76 Component weather: <button> has no property "onpress". Did you mean "onPress"?'],
  ],
  [
    'markup created without JSX',
    "({ type: 'block', children: [{ type: 'txet' }] })",
    'warn',
    [
      'platform-manifest.yaml:20:9 Component weather: <txet> is not an element of the platform. Did you mean <text>?',
    ],
  ],
])('reaches the correct verdict on rendering %s', async (_, markup, verdict, found) =>
  expect(await checked(inSource(weather, markup))).toEqual([verdict, found]),
);

test('lets a comment in the source code ignore unknown markup', async () => {
  const markup = `(<block>
      {/* platform-ignore publish/unknown-markup: the next version has it */}
      <txet>Sunny</txet></block>)`;
  expect(await checked(inSource(weather, markup))).toEqual(['pass', []]);
});

test.each<[text: string, property: string | undefined, at: [line: number, column: number] | undefined]>([
  ['<box />\n<card title="a" color="b" />', 'color', [2, 17]],
  ['<card title="color" />', 'color', undefined],
  ['<card title={color} />', 'color', undefined],
  ['<card\n  title="a"\n  color\n/>', 'color', [3, 3]],
  ['<card title="a">color</card>', 'color', undefined],
  ['<card title="a" /><card color />', 'color', [1, 25]],
  ['<cards color /> <card>a</card>', undefined, [1, 18]],
  ['<card title="', 'color', undefined],
])('finds the position of the element or property in %j', (text, property, at) => {
  const sources = [
    { path: 'README.md', text: '<card color />' },
    { path: 'src/a.tsx', text },
  ];
  const problem = { element: 'card', ...(property !== undefined && { property }) };
  const place = positionOfMarkup(problem, { manifest: { folder: '/project' } as never, sources });
  expect(place && [place.range.start.line, place.range.start.column]).toEqual(at);
});
