import { expect, it } from 'vitest';
import { createComponent } from '../../../src/runtime/definition/create-component.js';
import { createIntegration } from '../../../src/runtime/create-integration.js';
import type { ScriptModule } from '../../../src/sandbox/index.js';
import { startSample, integration, type Sample } from '../emulator-under-test.js';

const counter = createComponent<{ step?: number }, { count: number }>({
  componentId: 'counter',
  initialState: () => ({ count: 0 }),
  async action({ props, state }, { action, returnValue }) {
    if (action === 'finish') return { type: 'complete', returnValue: { count: state.count } };
    if (action === '@ui.modal.close') return { state: { count: Number(returnValue) } };
    if (action === 'faster') return { props: { step: 10 } };
    return { state: { count: state.count + (props.step ?? 1) } };
  },
  async render({ props, state }) {
    return { type: 'text', step: props.step, count: state.count };
  },
});

const broken = createComponent({
  componentId: 'broken',
  async render() {
    throw new Error('no');
  },
});

const quiet = async (): Promise<void> => {};
const script: ScriptModule = createIntegration({
  components: [counter, broken],
  events: { installation_setup: quiet, space_installation_setup: quiet, site_installation_setup: quiet },
});

const createDrawn = (): Promise<Sample> => startSample(script);
const press = (action: string, count: number, more = {}) => ({
  component: 'counter',
  state: { count },
  action: { action, ...more },
});

it('renders a configuration screen that belongs to a content source', async () => {
  const screen = createComponent({
    componentId: 'choose',
    render: async ({ props, context }) => ({ type: context.type, props }),
  });
  const contentSources = [{ id: 'plain' }, { id: 'wiki', configuration: { componentId: 'choose' } }];
  const sample = await startSample(createIntegration({ components: [screen] }), {
    integration: { ...integration, contentSources },
  });
  expect(await sample.emulator.render({ component: 'choose' })).toMatchObject({
    element: { type: 'configuration' },
    props: { installation: { status: 'active', configuration: {} } },
  });
});

it.each([
  [{}, ['installation']],
  [{ site: 'site_local' }, ['installation', 'siteInstallation']],
  [{ space: 'space_local' }, ['installation', 'spaceInstallation']],
])('passes the configuration of the target %o to the configuration screen', async (place, names) => {
  const screen = createComponent({
    componentId: 'settings',
    render: async ({ props, context }) => ({ type: context.type, props }),
  });
  const sample = await startSample(createIntegration({ components: [screen] }), {
    integration: {
      ...integration,
      configurations: { account: { properties: {}, required: [], componentId: 'settings' } },
    },
  });
  const drawn = await sample.emulator.render({ component: 'settings', ...place });
  expect(drawn).toMatchObject({ element: { type: 'configuration' } });
  const { props } = drawn as { props: Record<string, unknown> };
  expect(Object.keys(props)).toEqual(names);
  for (const name of names) expect(props[name]).toMatchObject({ status: 'active', configuration: {} });
});

it('renders a component, handles its actions and completes it', async () => {
  const { emulator } = await createDrawn();
  const first = await emulator.render({ component: 'counter' });
  expect(first).toMatchObject({ type: 'element', state: { count: 0 }, element: { count: 0 } });
  const second = await emulator.render(press('add', 4));
  expect(second).toMatchObject({ type: 'element', state: { count: 5 }, element: { count: 5 } });
  const done = await emulator.render(press('finish', 5));
  expect(done).toMatchObject({ type: 'complete', returnValue: { count: 5 } });
});

it("passes the call's context to the component", async () => {
  const { emulator, calls } = await createDrawn();
  await emulator.render({ component: 'counter', space: 'space_local', context: { theme: 'dark' } });
  expect(calls.at(-1)?.event).toMatchObject({
    type: 'ui_render',
    spaceId: 'space_local',
    context: { type: 'document', theme: 'dark', editable: true, spaceId: 'space_local' },
  });
  expect(calls.at(-1)?.environment.spaceInstallation?.space).toBe('space_local');
});

it.each([
  ['unknown', 404],
  ['broken', 500],
])('explains what happened if the component "%s" fails', async (component, status) => {
  const { emulator } = await createDrawn();
  expect(await emulator.render({ component })).toMatchObject({
    type: 'error',
    status,
    message: expect.any(String),
  });
});

it('does not render a component if the integration is not installed', async () => {
  const { emulator } = await createDrawn();
  await expect(emulator.render({ component: 'counter', space: 'nowhere' })).rejects.toThrow(
    'The integration is not installed in the space nowhere.',
  );
});

it('keeps the block props that an action or the host has set', async () => {
  const { emulator } = await createDrawn();
  const block = emulator.insertBlock({ component: 'counter', space: 'space_local', props: { step: 2 } });
  const draw = (action?: string, more: object = {}) =>
    emulator.render({
      block: block.id,
      state: { count: 1, typed: 7 },
      ...(action && { action: { action, ...more } }),
    });
  expect(await draw()).toMatchObject({ element: { step: 2 } });
  await draw('faster');
  expect(await draw()).toMatchObject({ element: { step: 10 } });
  const updated = await draw('@editor.node.updateProps', { props: { step: { $state: 'typed' } } });
  expect(updated).toMatchObject({ type: 'element', element: { step: 7, count: 1 } });
  expect(await draw()).toMatchObject({ element: { step: 7 } });
});

it('opens a URL for a built-in action without calling the script', async () => {
  const { emulator, calls } = await createDrawn();
  const before = calls.length;
  const action = { action: '@ui.url.open', url: 'https://example.com' };
  expect(await emulator.render({ component: 'counter', action })).toEqual({
    type: 'open-url',
    url: 'https://example.com',
  });
  expect(calls.length).toBe(before);
});

it('opens and closes a modal, and notifies the component that opened the modal', async () => {
  const { emulator } = await createDrawn();
  const action = { action: '@ui.modal.open', componentId: 'counter', props: { step: { $state: 'by' } } };
  const opened = await emulator.render({ component: 'counter', state: { by: 3 }, action });
  expect(opened).toMatchObject({
    type: 'open-modal',
    component: 'counter',
    props: { step: 3 },
    modal: { type: 'element', element: { step: 3 } },
  });
  const closing = press('@ui.modal.close', 8, { returnValue: { $state: 'count' } });
  const closed = await emulator.render({ ...closing, modal: true });
  expect(closed).toEqual({ type: 'close-modal', action: { action: '@ui.modal.close', returnValue: 8 } });
  const told = await emulator.render(press('@ui.modal.close', 0, { returnValue: 8 }));
  expect(told).toMatchObject({ state: { count: 8 } });
});

const where = createComponent({
  componentId: 'where',
  render: async (_, { environment: { siteInstallation, spaceInstallation } }) => ({
    type: 'text',
    place: siteInstallation?.site ?? spaceInstallation?.space ?? 'account',
  }),
});

it.each([
  [{}, 'all', 'space_local'],
  [{}, 'site', 'site_local'],
  [{ site: { properties: {}, required: [], componentId: 'where' } }, 'all', 'site_local'],
  [{ space: { properties: {}, required: [], componentId: 'where' } }, 'all', 'space_local'],
  [{ account: { properties: {}, required: [], componentId: 'where' } }, 'all', 'account'],
] as const)('renders a component with %j for the target %s in %s', async (sections, target, place) => {
  const configurations = structuredClone(sections) as unknown as typeof integration.configurations;
  const sample = await startSample(createIntegration({ components: [where] }), {
    integration: { ...integration, configurations, target },
  });
  expect(await sample.emulator.render({ component: 'where' })).toMatchObject({ element: { place } });
  expect(await sample.emulator.render({ component: 'where', installation: 'installation_1' })).toMatchObject({
    element: { place: Object.keys(sections).length > 0 ? place : 'account' },
  });
});

const markup = { type: 'text', children: ['a', { type: 'txet' }], color: 'red' };
const misspelled = createComponent({ componentId: 'misspelled', render: async () => markup });

it('returns unknown markup with warnings in every result, but reports each only once per session', async () => {
  const sample = await startSample(createIntegration({ components: [misspelled] }));
  const results: unknown[] = [];
  for (let turn = 0; turn < 3; turn += 1)
    results.push(await sample.emulator.render({ component: 'misspelled' }));
  for (const result of results)
    expect(result).toMatchObject({
      element: markup,
      warnings: [{ element: 'text', property: 'color' }, { element: 'txet' }],
    });
  const told = sample.happened.filter(({ type }) => type === 'warning');
  expect(told).toEqual(
    [
      'Component misspelled: <text> has no property "color". Its properties are style, children.',
      'Component misspelled: <txet> is not an element of the platform. Did you mean <text>?',
    ].map((message) => ({
      type: 'warning',
      code: 'unknown-markup',
      message,
      call: (results[0] as { call: string }).call,
    })),
  );
});

it('does not report valid markup', async () => {
  const known = createComponent({ componentId: 'known', render: async () => ({ type: 'divider' }) });
  const sample = await startSample(createIntegration({ components: [known] }));
  expect(await sample.emulator.render({ component: 'known' })).not.toHaveProperty('warnings');
  expect(sample.happened.filter(({ type }) => type === 'warning')).toEqual([]);
});

it('reports markup that is nested too deeply to be parsed', async () => {
  const markup = `${'{"children":['.repeat(50_000)}${']}'.repeat(50_000)}`;
  const answer = `{"type":"element","element":${markup}}`;
  const sample = await startSample({ fetch: async () => new Response(answer) });
  const { status, body } = await sample.control('POST', '/render', { component: 'deep' });
  expect([status, body]).toMatchObject([200, { type: 'error', message: expect.stringContaining('nested') }]);
});
