import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/cli/session/connect.js';
import type { SessionEvent } from '../../src/dev/index.js';
import { systemClock } from '../../src/base/clock.js';
import { devHere } from '../support/dev-here.js';
import { manifestText } from '../support/manifest-text.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const guide = readFileSync(new URL('../../docs/reference/json.md', import.meta.url), 'utf8');

const manifest = manifestText({ more: 'script: src/index.ts\n' });
const script = `import { createIntegration } from 'integration-platform';

export default createIntegration({
  fetch: async (request, { api }) => {
    await api.integrations.queueIntegrationTask('hello', { task: { type: 'tidy' } });
    return new Response('hello');
  },
  task: async () => {
    await fetch('http://127.0.0.1:2/').catch(() => {});
    throw new Error('Nothing is listening.');
  },
  events: {
    space_content_updated: async (event, { api, waitUntil }) => {
      console.log(\`Revision \${event.revisionId}\`);
      await api.spaces.getSpaceById(event.spaceId);
    },
  },
});
`;

type Line = Record<string, unknown> & { type: string };
/** Of a `build` they tell in `built` and `broken`. */
type Kind = 'ready' | SessionEvent['type'];

/** What a session tells when each of its kinds of line has been brought about. */
async function tellAll(): Promise<Map<Kind, Line[]>> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/README.md'), '# Start\n');
  const save = (text: string): void => writeFileSync(join(folder, 'src/index.ts'), text);
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
  // Only the response "hello" is as long.
  writeFileSync(join(folder, 'platform.dev.yaml'), 'limits:\n  responseBytes: 5\n');
  save(script);
  const dev = devHere(folder, ['--json', '--port', '0']);
  const lines = (): Line[] =>
    dev
      .text()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
  const cli = async (command: string): Promise<void> => {
    const { code, stderr } = await runCli(command.split(' '), { cwd: folder, clock: systemClock });
    expect([command, code, stderr]).toEqual([command, 0, '']);
  };
  const address = (): string => /"publicEndpoint":"(.*?)"/.exec(dev.text())?.[1] ?? '';
  const insert = async (): Promise<unknown> => {
    const { call } = await connect({ cwd: folder, io: { env: {}, isRunning: () => true } as never });
    return call('POST /blocks', { component: 'counter', props: {} });
  };
  const byItself = async (): Promise<void> => {};

  const causes: Record<Kind, () => Promise<unknown>> = {
    ready: byItself,
    built: byItself,
    reloaded: byItself,
    installation: byItself,
    endpoint: () => cli(`webhook add --url ${address()} --event space_content_updated --space space_local`),
    'call-started': () => cli('trigger space_content_updated'),
    log: byItself,
    outbound: byItself,
    warning: byItself,
    'call-finished': byItself,
    delivery: byItself,
    task: async () => [await fetch(address()), await dev.prints(/"change":"finished"/)],
    block: insert,
    'state-loaded': async () => [await cli('state save before'), await cli('state load before')],
    checked: async () => save(`${script}export const bytes = () => Buffer.from('a');\n`),
    broken: async () => save(script.replace('createIntegration({', 'createIntegration({{')),
    'broken-script': async () => save(`throw new Error('There is no address.');\n`),
  };
  try {
    await dev.prints(/"site":"site_local"/);
    for (const [kind, cause] of Object.entries(causes)) {
      await cause();
      await dev.prints(new RegExp(`"type":"${kind}"`));
    }
    await dev.prints(/"state":"delivered"/);
    return new Map(
      Object.keys(causes).map((kind) => [kind as Kind, lines().filter(({ type }) => type === kind)]),
    );
  } finally {
    await dev.stop();
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `call.logs` for `{ call: { logs: [] } }`: two names deep, and without what every line has. */
const fieldsOf = (line: Line): string[] =>
  Object.entries(line)
    .filter(([name]) => name !== 'version' && name !== 'type')
    .flatMap(([name, value]) =>
      isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
    );

/** The value with its texts and numbers left out. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))];
  if (!isObject(value)) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, shapeOf(inner)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const examples = (/```ndjson\n(.*?)\n```/s.exec(guide)?.[1] ?? '').split('\n');
const described = new Map(
  [...guide.matchAll(/^### `(.*)`\n([^]*?)(?=^##)/gm)].map(([, kind = '', section = '']) => {
    const example = examples.map((line) => JSON.parse(line) as Line).find(({ type }) => type === kind);
    const names = [...section.matchAll(/^- (`.*?`): /gm)].flatMap(([, list = '']) => list.split(', '));
    return [kind, { example, fields: names.map((name) => name.replaceAll('`', '')) }] as const;
  }),
);

test('the guide describes every type of line with all its fields and a real example', async () => {
  const told = await tellAll();
  expect([...described.keys()].sort()).toEqual([...told.keys()].sort());
  for (const [kind, { example, fields }] of described) {
    const lines = told.get(kind as Kind) ?? [];
    expect(fields.sort(), kind).toEqual([...new Set(lines.flatMap(fieldsOf))].sort());
    expect(lines.map(shapeOf), kind).toContainEqual(shapeOf(example));
  }
});

test.runIf(spawnSync('jq', ['--version']).status === 0)('the jq commands in the guide work', () => {
  const questions = [...guide.matchAll(/--format json \| (jq .*)/g)];
  expect(questions.length).toBe(3);
  for (const [, question = ''] of questions) {
    const { status, stdout } = spawnSync('sh', ['-c', question], {
      input: examples.join('\n'),
      encoding: 'utf8',
    });
    expect(status, question).toBe(0);
    expect(stdout, question).not.toBe('');
  }
});
