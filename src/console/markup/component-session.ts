import type { FailureResource } from '../../contract/basics/resources.js';
import type { Rendered, RenderRequest, RenderResult } from '../../contract/routes/components.js';
import { errorMessage } from '../../base/text/error-message.js';
import type { UIAction } from '../../protocol/events.js';
import type { MarkupProblem } from '../../protocol/markup/check-markup.js';
import { createCell } from '../ui/state/observable-cell.js';
import { withValue, type Values } from './basics/read-markup.js';

export interface OpenModal {
  /** Changes each time the modal is opened. */
  number: number;
  component: string;
  props: Values;
  first: Rendered;
}

/** An action sent to the script, with the state before and after it. */
export interface ActionStep {
  number: number;
  action: UIAction;
  /** When the action was sent. */
  time: number;
  before: Values;
  after: Values;
  durationMs: number;
  call?: string;
  error?: string;
}

export interface ComponentView {
  phase: 'loading' | 'ready' | 'complete';
  busy: boolean;
  element: unknown;
  props: Values;
  state: Values;
  /** Unknown elements and properties in the markup. */
  warnings: readonly MarkupProblem[];
  /** Set if the last render failed. The previous markup is then still shown. */
  error?: RenderError;
  lastCall?: string;
  /** The latest actions, newest first. */
  history: readonly ActionStep[];
  modal?: OpenModal;
}

export interface RenderError {
  message: string;
  call?: string;
  failure?: FailureResource;
  /** The action that failed, and when it was sent. Undefined if no action was sent. */
  action?: { name: string; time: number };
}

/** A component on the page. The session stores its state, and the script renders its markup. */
export type ComponentSession = ReturnType<typeof createComponentSession>;

interface Replaced {
  props?: Values;
  state?: Values;
}

const longestHistory = 50;

export interface ComponentSessionOptions {
  component: string;
  props: Values;
  state?: Values;
  first?: RenderResult;
  modal?: boolean;
  render: Render;
  openUrl: (url: string) => void;
  /** The time in milliseconds since the epoch. */
  now: () => number;
  onComplete?: (returnValue: unknown) => void;
  onCloseModal?: (action: UIAction) => void;
}

export function createComponentSession(options: ComponentSessionOptions) {
  const { component, render, now } = options;
  const view = createCell<ComponentView>({
    phase: 'loading',
    busy: false,
    element: undefined,
    props: options.props,
    state: options.state ?? {},
    warnings: [],
    history: [],
  });
  const change = (part: Partial<ComponentView>): void => view.set({ ...view.get(), ...part });
  /** Edits made since the last request, which the response must not undo. */
  let edits: Values = {};
  let modals = 0;
  let queue = Promise.resolve();

  const apply = (result: RenderResult): void => {
    const changed = changedView(result, { edits, modals });
    if (changed.modal) modals += 1;
    change(changed);
    if (result.type === 'complete') options.onComplete?.(result.returnValue);
    else if (result.type === 'open-url') options.openUrl(result.url);
    else if (result.type === 'close-modal') options.onCloseModal?.(result.action);
    else if (result.type === 'open-modal' && result.modal.type === 'complete')
      void inTurn({ action: '@ui.modal.close', returnValue: result.modal.returnValue ?? {} });
  };

  const ask = async (action: UIAction | undefined, replaced: Replaced): Promise<void> => {
    const { error: _, lastCall: after, ...before } = { ...view.get(), ...replaced };
    if (before.phase === 'complete') return;
    edits = {};
    const started = now();
    view.set({ ...before, props: view.get().props, busy: true });
    try {
      const result = await render({
        component,
        props: before.props,
        ...(before.phase !== 'loading' || options.state ? { state: before.state } : {}),
        ...(action && { action }),
        ...(action && after !== undefined && { after }),
        ...(options.modal && { modal: true }),
      });
      apply(result);
    } catch (error) {
      change({ phase: 'ready', error: { message: errorMessage(error) } });
    }
    if (!action) {
      change({ busy: false });
      return;
    }
    const { error } = view.get();
    const step = { action, time: started, before: before.state, durationMs: now() - started };
    change({
      busy: false,
      history: withStep(view.get(), step),
      ...(error && { error: { ...error, action: { name: action.action, time: started } } }),
    });
  };

  /** Runs actions in order, so that each one receives the state that the previous one left. */
  const inTurn = (action?: UIAction, replaced: Replaced = {}): Promise<void> => {
    queue = queue.then(() => ask(action, replaced));
    return queue;
  };

  if (options.first) apply(options.first);

  return {
    view,
    /** Sets a value in the state, which is sent with the next action. */
    set(key: string, value: unknown) {
      edits = withValue(edits, key, value);
      change({ state: withValue(view.get().state, key, value) });
    },
    send: (action: UIAction) => inTurn(action),
    /** Renders the component again, by default with its current props and state. */
    redraw: (replaced?: Replaced) => inTurn(undefined, replaced),
    async closeModal(action?: UIAction) {
      const { modal: _, ...rest } = view.get();
      view.set(rest);
      // Adds an empty return value, because the component that opened the modal may read it.
      if (action) await inTurn({ returnValue: {}, ...action });
    },
  };
}

function withStep(
  { state: after, lastCall: call, error, history }: ComponentView,
  step: Pick<ActionStep, 'action' | 'time' | 'before' | 'durationMs'>,
): ActionStep[] {
  const number = (history[0]?.number ?? 0) + 1;
  const outcome = { ...(call !== undefined && { call }), ...(error && { error: error.message }) };
  return [{ ...step, number, after, ...outcome }, ...history].slice(0, longestHistory);
}

/** Applies a response to the view, but keeps edits that the user has made in the meantime. */
function changedView(
  result: RenderResult,
  { edits, modals }: { edits: Values; modals: number },
): Partial<ComponentView> {
  switch (result.type) {
    case 'element': {
      const { element, props, call, warnings = [] } = result;
      const state = { ...result.state, ...edits };
      return { phase: 'ready', element, props, state, warnings, lastCall: call };
    }
    case 'complete':
      return { phase: 'complete', lastCall: result.call };
    case 'open-modal': {
      const { component, props, modal: first } = result;
      // If the first render completes the component, there is no markup to show.
      return first.type === 'complete' ? {} : { modal: { number: modals + 1, component, props, first } };
    }
    case 'error': {
      const { message, call, failure } = result;
      const known = call !== undefined;
      return {
        phase: 'ready',
        error: { message, ...(known && { call }), ...(failure && { failure }) },
        ...(known && { lastCall: call }),
      };
    }
    case 'open-url':
    case 'close-modal':
      return {};
  }
}

export type RenderInput = Pick<RenderRequest, 'state' | 'action' | 'modal'> & {
  component: string;
  props: Values;
};

export type Render = (input: RenderInput) => Promise<RenderResult>;
