import { expect, test } from 'vitest';
import { compareIntegrations } from '../../src/publish/baseline/compare-integrations.js';
import { sampleConfiguration } from '../../src/publish/probe/sample-configuration.js';
import { rehearse, rehearsalVerdicts } from '../../src/recordings/index.js';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { replayProgram } from '../support/child-program.js';
import { proved } from '../support/proved.js';
import { apply, harmless, invisiblyBreaking, visiblyBreaking, type SeededChange } from './seeded-changes.js';
import { manifestText, read, recordFirstVersion, scriptText } from '../publish/seeded-project.js';

const compare = ({ manifest }: SeededChange): string[] => {
  const { integration, secrets } = read(manifestText);
  const former = { integration, secrets: secrets.map(({ name }) => name) };
  return compareIntegrations(former, read(apply(manifestText, manifest))).map(({ message }) => message);
};

test.each(visiblyBreaking)('detects a breaking change between manifests: $what', (change) => {
  expect(compare(change)).toHaveLength(1);
});

test.each([...invisiblyBreaking, ...harmless])(
  'reports no breaking change between manifests: $what',
  (change) => {
    expect(compare(change)).toEqual([]);
  },
);

const run = replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' });
const recording = await recordFirstVersion(run);

async function rehearseChange({ manifest, script }: SeededChange) {
  const { integration, secrets } = read(apply(manifestText, manifest));
  const calls = await rehearse({
    recording,
    former: read(manifestText).integration,
    integration,
    secrets: secrets.map(({ name }) => name),
    script: { code: apply(scriptText, script) },
    run,
    sampleValues: sampleConfiguration,
  });
  return {
    calls,
    worst: rehearsalVerdicts.find((verdict) => calls.some((call) => call.verdict === verdict)),
  };
}

test('reports no difference when replaying recorded calls with an unchanged version', async () => {
  expect((await rehearseChange({ what: 'nothing' })).worst).toBe('same');
});

test.each(proved(invisiblyBreaking))(
  'detects a breaking change by replaying recorded calls: $what',
  async (change) => {
    const { worst, calls } = await rehearseChange(change);
    expect(['broken', 'unknown', 'differs']).toContain(worst);
    for (const { verdict, why, differences } of calls) {
      if (verdict === 'broken' || verdict === 'unknown') expect(why).toBeTruthy();
      if (verdict === 'differs') expect(differences.length).toBeGreaterThan(0);
    }
  },
);

test.each(proved(harmless))(
  'reports no breaking change when replaying recorded calls: $what',
  async (change) => {
    expect((await rehearseChange(change)).worst).toBe('same');
  },
);

test('reports a changed response in addition to a newly required property', async () => {
  const { calls } = await rehearseChange({
    what: 'a required property and a different response',
    manifest: ['required: [unit]', 'required: [unit, connect]'],
    script: ["new Response('noted'", "new Response('seen'"],
  });
  expect(calls.map(({ verdict }) => verdict)).toEqual(calls.map(() => 'pending'));
  expect(calls.filter(({ whenSet }) => whenSet?.verdict === 'differs')).toHaveLength(1);
  expect(calls.filter(({ whenSet }) => whenSet?.verdict === 'same')).toHaveLength(calls.length - 1);
});

test.each([
  [
    'a new property',
    'properties:\n',
    'properties:\n      tone: { type: string, title: Tone, default: calm }\n',
  ],
  ['an existing property', 'place: { type: string, title: Place }', 'place: { type: string, default: Rome }'],
])('finds no breaking change if %s with a default becomes required', async (what, from, to) => {
  const name = /(\w+): \{ type: string/.exec(to.replace('properties:', ''))?.[1] ?? '';
  const text = manifestText.replace(from, to).replace('required: [unit]', `required: [unit, ${name}]`);
  const manifest: SeededChange['manifest'] = [manifestText, text];
  expect(compare({ what, manifest })).toEqual([]);
  expect((await rehearseChange({ what, manifest })).worst).toBe('same');
});

test.each([
  ['a narrower enum', 'pending'],
  ['a different type', 'pending'],
  ['a removed default', 'differs'],
])('reports %s as "%s" when replaying recorded calls', async (what, verdict) => {
  const change = visiblyBreaking.find((one) => one.what === what);
  expect(change && (await rehearseChange(change)).worst).toBe(verdict);
});

test.each([
  ['a moved URL', { script: ["api + '/tickets/'", "api + '/v2/tickets/'"] }, 'unknown', 'no response to GET'],
  ['a removed scope', { manifest: ['  - space:content:read', '  - space:metadata:read'] }, 'broken', 'scope'],
  [
    'a renamed block property',
    { script: ['event.props;', '{ url: event.props.href ?? "" };'] },
    'broken',
    'url',
  ],
] as [string, Omit<SeededChange, 'what'>, string, string][])(
  'reports %s',
  async (what, change, verdict, why) => {
    const { calls, worst } = await rehearseChange({ what, ...change });
    expect(worst).toBe(verdict);
    expect(calls.find((call) => call.verdict === verdict)?.why).toContain(why);
  },
);
