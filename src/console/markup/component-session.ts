import { errorMessage } from '../../base/text/error-message.js';
import type { UIAction } from '../../protocol/events.js';
import { createCell, type Cell } from '../ui/state/observable-cell.js';
import { withValue, type Values } from './read-markup.js';

export interface OpenModal {
  /** Tells one opening from the next. */
  number: number;
  component: string;
  props: Values;
  first: RenderResult;
}

export interface ComponentView {
  phase: 'loading' | 'ready' | 'complete';
  busy: boolean;
  element: unknown;
  props: Values;
  state: Values;
  /** The last drawing failed; what was drawn before stays. */
  error?: { message: string; call?: string };
  lastAction?: UIAction;
  lastCall?: string;
  lastDuration?: number;
  modal?: OpenModal;
}

/** One component on the page: its state is here, its markup comes from the script. */
export interface ComponentSession {
  view: Cell<ComponentView>;
  /** What an input writes; it is sent along with the next action. */
  set(key: string, value: unknown): void;
  send(action: UIAction): Promise<void>;
  /** Draws it anew with the state that it has. */
  redraw(props?: Values): Promise<void>;
  /** The modal was closed by hand. */
  closeModal(action?: UIAction): Promise<void>;
}

export interface ComponentSessionOptions {
  component: string;
  props: Values;
  state?: Values;
  first?: RenderResult;
  modal?: boolean;
  render: Render;
  openUrl: (url: string) => void;
  now: () => number;
  onComplete?: (returnValue: unknown) => void;
  onCloseModal?: (action: UIAction) => void;
}

export function createComponentSession(options: ComponentSessionOptions): ComponentSession {
  const { component, render, openUrl, now } = options;
  const view = createCell<ComponentView>({
    phase: 'loading',
    busy: false,
    element: undefined,
    props: options.props,
    state: options.state ?? {},
  });
  const change = (part: Partial<ComponentView>): void => view.set({ ...view.get(), ...part });
  /** Edits made since the last request was sent; its answer does not undo them. */
  let edits: Values = {};
  let modals = 0;
  let queue = Promise.resolve();

  const take = (result: RenderResult): void => {
    switch (result.type) {
      case 'element': {
        const { element, props, call } = result;
        const state = { ...result.state, ...edits };
        change({ phase: 'ready', element, props, state, lastCall: call });
        break;
      }
      case 'complete':
        change({ phase: 'complete', lastCall: result.call });
        options.onComplete?.(result.returnValue);
        break;
      case 'open-url':
        openUrl(result.url);
        break;
      case 'open-modal':
        if (result.modal.type === 'complete') {
          void inTurn({ action: '@ui.modal.close', returnValue: result.modal.returnValue ?? {} });
          break;
        }
        modals += 1;
        change({
          modal: {
            number: modals,
            component: result.component,
            props: result.props,
            first: result.modal,
          },
        });
        break;
      case 'close-modal':
        options.onCloseModal?.(result.action);
        break;
      case 'error': {
        const { message, call } = result;
        change({
          phase: 'ready',
          error: { message, ...(call !== undefined && { call }) },
          ...(call !== undefined && { lastCall: call }),
        });
      }
    }
  };

  const ask = async (action: UIAction | undefined, props: Values | undefined): Promise<void> => {
    const before = view.get();
    if (before.phase === 'complete') return;
    edits = {};
    const started = now();
    const { error: _, ...rest } = { ...before, busy: true, ...(action && { lastAction: action }) };
    view.set(rest);
    try {
      const result = await render({
        component,
        props: props ?? before.props,
        ...(before.phase !== 'loading' || options.state ? { state: before.state } : {}),
        ...(action && { action }),
        ...(options.modal && { modal: true }),
      });
      take(result);
    } catch (error) {
      change({
        phase: 'ready',
        error: { message: errorMessage(error) },
      });
    }
    change({ busy: false, lastDuration: now() - started });
  };

  /** One after the other: each action sees the state that the one before it left. */
  const inTurn = (action?: UIAction, props?: Values): Promise<void> => {
    queue = queue.then(() => ask(action, props));
    return queue;
  };

  if (options.first) take(options.first);

  return {
    view,
    set(key, value) {
      edits = withValue(edits, key, value);
      change({ state: withValue(view.get().state, key, value) });
    },
    send: (action) => inTurn(action),
    redraw: (props) => inTurn(undefined, props),
    async closeModal(action) {
      const { modal: _, ...rest } = view.get();
      view.set(rest);
      // Who opened it may look into what it returned.
      if (action) await inTurn({ returnValue: {}, ...action });
    },
  };
}

/** What the platform answers when a component is drawn. */
export type RenderResult =
  | { type: 'element'; element: unknown; props: Values; state: Values; call: string }
  | { type: 'complete'; returnValue?: unknown; call: string }
  | { type: 'open-url'; url: string }
  | { type: 'open-modal'; component: string; props: Values; modal: RenderResult }
  | { type: 'close-modal'; action: UIAction }
  | { type: 'error'; status: number; message: string; call?: string };

export interface RenderInput {
  component: string;
  props: Values;
  state?: Values;
  action?: UIAction;
  modal?: boolean;
}

export type Render = (input: RenderInput) => Promise<RenderResult>;
