import type { Emulator } from '../../emulator/index.js';
import type { RenderedComponent, RenderInput } from './component-types.js';
import type { UIAction } from '../../protocol/events.js';
import type { Markup } from '../../runtime/jsx/markup-node.js';
import { changeActionOf, type FindOptions } from './fill-input.js';
import { isMarkup, textOf, elementsIn } from './markup-search.js';

type Render = Emulator['render'];
type Drawn = Awaited<ReturnType<Render>>;

/** Renders a component, initially and after each action. */
export const renderComponent = async (
  platform: Surroundings,
  input: RenderInput,
): Promise<RenderedComponent> => openScreen(platform, input, await platform.render(input));

/** The input for rendering a component. */
interface Surroundings {
  render: Render;
  find: FindOptions;
}

/** How a modal passes its result to the component that opened it. */
async function openScreen(
  platform: Surroundings,
  input: RenderInput,
  first: Drawn,
  closed?: (action: UIAction) => Promise<void>,
): Promise<RenderedComponent> {
  const { component, props = {} } = input;
  const now: Screen = { element: undefined, state: {}, props, open: true };

  const show = async (drawn: Drawn): Promise<void> => {
    switch (drawn.type) {
      case 'element':
        now.element = isMarkup(drawn.element) ? drawn.element : null;
        now.state = drawn.state;
        now.props = drawn.props;
        return;
      case 'complete':
        return close({ action: '@ui.modal.close', returnValue: drawn.returnValue });
      case 'close-modal':
        return close(drawn.action);
      case 'open-url':
        now.openedUrl = drawn.url;
        return;
      case 'open-modal': {
        const inside = { ...input, component: drawn.component, props: drawn.props };
        now.modal = await openScreen(platform, inside, drawn.modal, act);
        return;
      }
      case 'error':
        throw new Error(`The component ${component} could not be rendered: ${drawn.message}`);
    }
  };

  const act = async (action: UIAction): Promise<void> => {
    requireOpen(now, component);
    delete now.openedUrl;
    const { state, props } = now;
    await show(await platform.render({ ...input, props, state, action, modal: closed !== undefined }));
  };

  const close = async (action: UIAction): Promise<void> => {
    now.open = false;
    now.returnValue = action['returnValue'];
    await closed?.(action);
  };

  await show(first);
  return viewOf(now, { component, isModal: closed !== undefined, act, find: platform.find });
}

function requireOpen({ open, element }: Screen, component: string): Markup | null {
  if (!open || element === undefined) throw new Error(`The component ${component} is closed.`);
  return element;
}

function viewOf(
  now: Screen,
  {
    component,
    isModal,
    act,
    find,
  }: { component: string; isModal: boolean; act: RenderedComponent['act']; find: FindOptions },
): RenderedComponent {
  const live = (): Markup | null => requireOpen(now, component);
  return {
    get element() {
      return live();
    },
    get state() {
      return now.state;
    },
    get props() {
      return now.props;
    },
    get modal() {
      return now.modal?.open ? now.modal : undefined;
    },
    get openedUrl() {
      return now.openedUrl;
    },
    get returnValue() {
      return now.returnValue;
    },
    get open() {
      return now.open;
    },
    text: () => textOf(live(), now.state),
    press: async (label) => act(actionOf(live(), label)),
    async fill(key, value) {
      const change = await changeActionOf(live(), { state: key, value, find });
      now.state = { ...now.state, [key]: value };
      if (change) await act(change);
    },
    dismiss() {
      live();
      if (!isModal)
        throw new Error(`The component ${component} is not a modal: only a modal can be dismissed.`);
      now.open = false;
    },
    act,
  };
}

interface Screen {
  element: Markup | null | undefined;
  state: Record<string, unknown>;
  props: Record<string, unknown>;
  modal?: RenderedComponent;
  openedUrl?: string;
  returnValue?: unknown;
  open: boolean;
}

interface Pressable {
  names: string[];
  disabled: boolean;
  action: UIAction;
}

/** Returns the action of the button with this label, title, tooltip or icon. */
function actionOf(root: unknown, label: string): UIAction {
  const all = [...elementsIn(root)].flatMap(pressablesOf);
  const found = all.filter(({ names }) => names.includes(label));
  const [first] = found;
  if (!first) {
    const known = all.map(({ names }) => names[0]).filter((name) => name !== undefined);
    throw new Error(
      `No button or card has the label "${label}". ${known.length > 0 ? `The buttons and cards are ${known.map((name) => `"${name}"`).join(', ')}.` : 'The block has none.'}`,
    );
  }
  if (found.length > 1) throw new Error(`${found.length} buttons or cards have the label "${label}".`);
  if (first.disabled) throw new Error(`"${label}" is disabled.`);
  return first.action;
}

function pressablesOf(element: Markup): Pressable[] {
  const { controls: menu } = element;
  // A nested array is a group in the menu.
  const controls = Array.isArray(menu) ? (menu.flat() as Record<string, unknown>[]) : [];
  return [element, ...controls].flatMap((props) => {
    const { onPress, disabled } = props;
    if (typeof onPress !== 'object' || onPress === null) return [];
    const names = [props.label, props.title, props.tooltip, props.icon].filter(
      (name) => typeof name === 'string',
    );
    return [{ names, disabled: disabled === true, action: onPress as UIAction }];
  });
}
