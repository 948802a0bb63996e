import type { UIAction } from '../../protocol/events.js';
import type { Markup } from '../../runtime/jsx/markup.js';
import { elementsIn } from './markup-search.js';

interface Pressable {
  names: string[];
  disabled: boolean;
  action: UIAction;
}

/** The action of the button with this label, title, tooltip or icon. */
export function actionOf(root: unknown, label: string): UIAction {
  const all = [...elementsIn(root)].flatMap(pressablesOf);
  const found = all.filter(({ names }) => names.includes(label));
  const [first] = found;
  if (!first) {
    const known = all.map(({ names }) => names[0]).filter((name) => name !== undefined);
    throw new Error(
      `There is no button or card called "${label}". ${known.length > 0 ? `The buttons and cards are ${known.map((name) => `"${name}"`).join(', ')}.` : 'There is nothing to press.'}`,
    );
  }
  if (found.length > 1) throw new Error(`There are ${found.length} buttons or cards called "${label}".`);
  if (first.disabled) throw new Error(`"${label}" is disabled.`);
  return first.action;
}

function pressablesOf(element: Markup): Pressable[] {
  const { controls: menu } = element;
  // A nested array is a group of the menu.
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
