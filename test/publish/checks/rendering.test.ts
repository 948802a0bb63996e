import { expect, test } from 'vitest';
import { inManifest, inSource } from './defect.js';
import { check, createProject, type Files } from '../project-under-check.js';
import { positionOfMarkup } from '../../../src/publish/checks/position-of-markup.js';

const sunny = '    return <block><text>Sunny</text></block>;';

async function rendering(files: Files) {
  await using fixture = await createProject(files);
  const { report, checks } = await check(fixture);
  const { verdict, evidence, help } = checks.find(({ id }) => id === 'publish/render') ?? {};
  return {
    verdict,
    evidence,
    help,
    findings: report.diagnostics.filter(({ code }) => code === 'publish/render'),
  };
}

/** A block created from a pasted link of this kind, which renders nothing without one. */
const fromLink = (pattern: string, known: string): Files => ({
  ...inManifest(
    'The weather of a place.\n',
    `The weather of a place.\n    urlUnfurl:\n      - "${pattern}"\n`,
  ),
  ...inSource(
    `  async render() {\n${sunny}`,
    `  async action(element, { url }) { return { props: { url } }; },
  async render({ props: { url } }) {
    if (${known}) return <block><text>{url}</text></block>;`,
  ),
});

test.each([
  ['https://weather.acme.dev/towns/**', 'https://weather.acme.dev/towns/1'],
  ['http://*.acme.dev/towns/*/today', 'http://1.acme.dev/towns/1/today'],
  ['weather.acme.dev/towns/', 'https://weather.acme.dev/towns/1'],
  ['https://weather.acme.dev/today', 'https://weather.acme.dev/today'],
])('renders a block with the unfurl pattern %s from the link %s', async (pattern, url) => {
  expect(await rendering(fromLink(pattern, `url === '${url}'`))).toEqual({
    verdict: 'pass',
    evidence: `Rendered: weather (from the link ${url}), screen.`,
    help: undefined,
    findings: [],
  });
});

test('requests a manual review of a block that does not unfurl its own example link', async () => {
  const { verdict, help, findings } = await rendering(fromLink('https://weather.acme.dev/**', 'false'));
  expect([verdict, findings]).toEqual(['review', []]);
  expect(help).toBe(
    'weather cannot be rendered with its defaults or from the link https://weather.acme.dev/1: The result is empty. In the "platform dev" console, paste a link that it supports.',
  );
});

test('requests a manual review of components whose rendering calls an external service', async () => {
  const asking = "    await fetch('https://api.acme.dev/');\n";
  const { verdict, help, findings } = await rendering({
    'src/index.tsx': (inSource(sunny, asking + sunny)['src/index.tsx'] as string).replace(
      '    const { place }',
      `${asking}    const { place }`,
    ),
  });
  expect([verdict, findings]).toEqual(['review', []]);
  expect(help).toContain(
    'Not rendered: weather, screen. Rendering calls api.acme.dev, and publish-check blocks outbound requests.',
  );
});

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
