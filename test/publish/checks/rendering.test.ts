import { expect, test } from 'vitest';
import { inManifest, inSource } from './defect.js';
import { check, createProject, type Files } from '../project-under-check.js';

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
