import { expect, test } from 'vitest';
import { createComponent, createIntegration, type UIRenderEvent } from '../../src/runtime/index.js';
import { envelopeRequest } from '../support/envelope-request.js';

const event = {
  type: 'ui_render',
  componentId: 'counter',
  props: { start: 3 },
  context: { type: 'document', theme: 'dark', editable: true },
};

const counter = createComponent<{ start: number }, { count: number }>({
  componentId: 'counter',
  initialState: (props, renderContext, context) => ({
    count: props.start + renderContext.theme.length + context.environment.integration.version,
  }),
  action: async (element, action) => {
    switch (action.action) {
      case 'add':
        return { state: { count: element.state.count + 1 } };
      case 'start':
        return { props: { start: 9 } };
      case 'both':
        return { props: { start: 0 }, state: { count: 0 } };
      case 'element':
        return { ...element, state: { count: -1 } };
      case 'empty':
        return {};
      case 'done':
        return { type: 'complete', returnValue: { id: 'x' } };
      case 'close':
        return { type: 'complete' };
      default:
        return undefined;
    }
  },
  render: async (element) => {
    element.setCache({ maxAge: element.state.count });
    return (
      <block>
        <button
          label={`${element.state.count}`}
          onPress={{ action: 'add', now: element.dynamicState('count') }}
        />
      </block>
    );
  },
});
const script = createIntegration({ components: [counter] });
const render = async (more: Partial<UIRenderEvent>) => {
  const response = await script.fetch(envelopeRequest({ ...event, ...more }));
  return { cache: response.headers.get('cache-control'), answer: await response.json() };
};
const drawn = (props: object, count: number) => ({
  cache: `max-age=${count}`,
  answer: {
    type: 'element',
    state: { count },
    props,
    element: {
      type: 'block',
      children: [{ type: 'button', label: `${count}`, onPress: { action: 'add', now: { $state: 'count' } } }],
    },
  },
});

const state = { count: 1 };
test.each([
  ['the initial state, if there is no state yet', {}, drawn({ start: 3 }, 10)],
  ['the state from the event', { state: { count: 5 } }, drawn({ start: 3 }, 5)],
  ['the new state that an action returns', { state, action: { action: 'add' } }, drawn({ start: 3 }, 2)],
  ['the new props that an action returns', { state, action: { action: 'start' } }, drawn({ start: 9 }, 1)],
  ['new props and new state', { state, action: { action: 'both' } }, drawn({ start: 0 }, 0)],
  ['the element that an action returns', { state, action: { action: 'element' } }, drawn({ start: 3 }, -1)],
  [
    'unchanged props and state, if an action returns an empty object',
    { state, action: { action: 'empty' } },
    drawn({ start: 3 }, 1),
  ],
  [
    'unchanged props and state, if an action returns nothing',
    { state, action: { action: 'other' } },
    drawn({ start: 3 }, 1),
  ],
  [
    'a completion with a return value',
    { state, action: { action: 'done' } },
    { cache: null, answer: { type: 'complete', returnValue: { id: 'x' } } },
  ],
  [
    'a completion without a return value',
    { state, action: { action: 'close' } },
    { cache: null, answer: { type: 'complete' } },
  ],
])('responds with %s', async (_, more, answer) => {
  expect(await render(more)).toEqual(answer);
});

const answerOf = async (component: Parameters<typeof createComponent>[0]) => {
  const integration = createIntegration({ components: [createComponent(component)] });
  return (await integration.fetch(envelopeRequest({ ...event, action: { action: 'x' } }))).json();
};
const componentId = 'counter';

const cases: [string, Parameters<typeof createComponent>[0], object, unknown][] = [
  ['have a fixed initial state', { componentId, initialState: { a: 1 }, render: () => 'x' }, { a: 1 }, 'x'],
  ['render nothing', { componentId, render: async () => undefined }, {}, null],
  ['render null', { componentId, render: () => null }, {}, null],
  ['render several elements', { componentId, render: () => <>a{'b'}</> }, {}, ['a', 'b']],
];
test.each(cases)('lets a component %s', async (_, component, state, element) => {
  expect(await answerOf(component)).toEqual({ type: 'element', state, props: { start: 3 }, element });
});

test('renders a component for an event without props and state', async () => {
  const component = createComponent({ componentId, render: ({ props }) => JSON.stringify(props) });
  const integration = createIntegration({ components: [component] });
  const response = await integration.fetch(envelopeRequest({ type: 'ui_render', componentId }));
  expect(await response.json()).toEqual({ type: 'element', state: {}, props: {}, element: '{}' });
});
