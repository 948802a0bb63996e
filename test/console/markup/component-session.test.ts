import { expect, it } from 'vitest';
import { createComponentSession, type RenderInput } from '../../../src/console/markup/component-session.js';
import type { Rendered, RenderResult } from '../../../src/contract/routes/components.js';

const element = (state: Record<string, unknown>, props = {}): Rendered => ({
  type: 'element',
  element: { type: 'block' },
  props,
  state,
  call: 'call_1',
});

function open(first: Partial<Parameters<typeof createComponentSession>[0]> = {}) {
  const asked: RenderInput[] = [];
  const waiting: ((result: RenderResult | Error) => void)[] = [];
  const done: unknown[] = [];
  const session = createComponentSession({
    component: 'counter',
    props: { from: 1 },
    render: (input) => {
      asked.push(input);
      return new Promise((resolve, reject) => {
        waiting.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
      });
    },
    openUrl: (url) => done.push(['url', url]),
    onComplete: (value) => done.push(['complete', value]),
    onCloseModal: (action) => done.push(['close', action]),
    now: () => 0,
    ...first,
  });
  const answer = async (result: RenderResult | Error): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    waiting.shift()?.(result);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { session, asked, answer, done };
}

it('sends no state with the first request, so that the component creates its own', async () => {
  const { session, asked, answer } = open();
  void session.redraw();
  await answer(element({ count: 1 }));
  expect(asked).toEqual([{ component: 'counter', props: { from: 1 } }]);
  expect(session.view.get()).toMatchObject({ phase: 'ready', state: { count: 1 }, busy: false });
});

it('sends input values along with the action', async () => {
  const { session, asked, answer } = open();
  void session.redraw();
  await answer(element({ name: '', count: 1 }));
  session.set('name', 'Ada');
  void session.send({ action: 'save' });
  await answer(element({ name: 'Ada', count: 2 }));
  expect(asked[1]).toEqual({
    component: 'counter',
    after: 'call_1',
    props: {},
    state: { name: 'Ada', count: 1 },
    action: { action: 'save' },
  });
  expect(session.view.get()).toMatchObject({ state: { count: 2 } });
});

it('lists actions newest first, with the state before and after each one', async () => {
  let time = 0;
  const { session, answer } = open({ state: { count: 1 }, now: () => (time += 10) });
  void session.send({ action: 'save' });
  await answer(element({ count: 2 }));
  void session.redraw();
  await answer(element({ count: 2 }));
  void session.send({ action: 'fail' });
  await answer({ type: 'error', status: 500, message: 'no', call: 'call_3' });
  expect(session.view.get().history).toEqual([
    {
      number: 2,
      action: { action: 'fail' },
      time: 40,
      before: { count: 2 },
      after: { count: 2 },
      durationMs: 10,
      call: 'call_3',
      error: 'no',
    },
    {
      number: 1,
      action: { action: 'save' },
      time: 10,
      before: { count: 1 },
      after: { count: 2 },
      durationMs: 10,
      call: 'call_1',
    },
  ]);
  expect(session.view.get().error?.action).toEqual({ name: 'fail', time: 40 });
});

it('renders a component with the new state if the state is replaced during a request', async () => {
  const { session, asked, answer } = open({ state: { name: 'A', count: 1 } });
  void session.redraw();
  void session.redraw({ state: { name: 'B' } });
  await answer(element({ name: 'A', count: 1 }));
  await answer(element({ name: 'B', count: 0 }));
  expect(asked.map(({ state }) => state)).toEqual([{ name: 'A', count: 1 }, { name: 'B' }]);
  expect(session.view.get().state).toEqual({ name: 'B', count: 0 });
});

it('keeps text that is typed into a component during a request', async () => {
  const { session, answer } = open({ state: { name: 'A', count: 1 } });
  void session.send({ action: 'save' });
  await Promise.resolve();
  session.set('name', 'Ada');
  await answer(element({ name: 'A', count: 2 }));
  expect(session.view.get().state).toEqual({ name: 'Ada', count: 2 });
});

it('sends only one action at a time', async () => {
  const { session, asked, answer } = open({ state: { count: 1 } });
  void session.send({ action: 'more' });
  void session.send({ action: 'more' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toHaveLength(1);
  await answer(element({ count: 2 }));
  await answer(element({ count: 2 }));
  expect(asked[1]).toMatchObject({ state: { count: 2 } });
});

it('keeps the markup after an error response, and clears the error on the next successful response', async () => {
  const { session, answer } = open();
  void session.redraw();
  await answer(element({ count: 1 }));
  void session.send({ action: 'fail' });
  await answer({ type: 'error', status: 500, message: 'Internal server error', call: 'call_2' });
  expect(session.view.get()).toMatchObject({
    element: { type: 'block' },
    error: { message: 'Internal server error', call: 'call_2' },
  });
  void session.send({ action: 'again' });
  await answer(element({ count: 2 }));
  expect(session.view.get().error).toBeUndefined();
  void session.redraw();
  await answer(new Error('no connection'));
  expect(session.view.get().error).toEqual({ message: 'no connection' });
});

it('opens a modal, and sends its return value to the component', async () => {
  const { session, asked, answer } = open();
  void session.redraw();
  await answer(element({ count: 1 }));
  void session.send({ action: '@ui.modal.open', componentId: 'details' });
  await answer({ type: 'open-modal', component: 'details', props: { a: 1 }, modal: element({}) });
  expect(session.view.get().modal).toMatchObject({ component: 'details', props: { a: 1 } });
  void session.closeModal({ action: '@ui.modal.close', returnValue: 7 });
  await answer(element({ count: 7 }));
  expect(asked[2]).toMatchObject({ action: { action: '@ui.modal.close', returnValue: 7 } });
  expect(session.view.get().modal).toBeUndefined();
});

it.each([
  [{ type: 'complete' as const, call: 'call_2' }, undefined],
  [element({}), { action: '@ui.modal.close' }],
])('sends a return value to the component even if the modal returns nothing (%o)', async (modal, closing) => {
  const { session, asked, answer } = open();
  void session.send({ action: '@ui.modal.open', componentId: 'details' });
  await answer({ type: 'open-modal', component: 'details', props: {}, modal });
  if (closing) void session.closeModal(closing);
  await answer(element({}));
  expect(asked[1]).toMatchObject({ action: { action: '@ui.modal.close', returnValue: {} } });
});

it('asks the host to open a URL and close the modal, and reports that the component has completed', async () => {
  const { session, answer, done } = open();
  void session.send({ action: '@ui.url.open', url: 'https://x.test' });
  await answer({ type: 'open-url', url: 'https://x.test' });
  void session.send({ action: '@ui.modal.close' });
  await answer({ type: 'close-modal', action: { action: '@ui.modal.close' } });
  void session.send({ action: 'done' });
  await answer({ type: 'complete', returnValue: 1, call: 'call_3' });
  expect(done).toEqual([
    ['url', 'https://x.test'],
    ['close', { action: '@ui.modal.close' }],
    ['complete', 1],
  ]);
  expect(session.view.get().phase).toBe('complete');
});
