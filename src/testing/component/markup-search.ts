import { resolveState } from '../../protocol/markup/resolve-state.js';
import type { Markup, MarkupNode } from '../../runtime/jsx/markup-node.js';

export const isMarkup = (value: unknown): value is Markup =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Yields the element and every element nested in its children or other properties. Parents come first. */
export function* elementsIn(value: unknown): Generator<Markup> {
  if (Array.isArray(value)) for (const item of value) yield* elementsIn(item);
  if (!isMarkup(value)) return;
  yield value;
  for (const part of Object.values(value)) yield* elementsIn(part);
}

const readProps = ['title', 'subtitle', 'label', 'hint', 'content', 'placeholder'];

/** Returns the visible text, with one line for each piece. */
export function textOf(value: unknown, state: Record<string, unknown>): string {
  return [...piecesOf(value, state)].join('\n');
}

function* piecesOf(value: unknown, state: Record<string, unknown>): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of joinTexts(value as MarkupNode[])) yield* piecesOf(item, state);
  } else if (isMarkup(value)) {
    for (const name of readProps) yield* piecesOf(shown(value, name, state), state);
    yield* piecesOf(value.children, state);
    const others = Object.entries(value).filter(([name]) => name !== 'children' && !readProps.includes(name));
    for (const [, part] of others) for (const inside of outermost(part)) yield* piecesOf(inside, state);
  } else if (typeof value === 'string' || typeof value === 'number') {
    yield String(value);
  }
}

/** Only an element's content can be bound to the state. */
const shown = (element: Markup, name: string, state: Record<string, unknown>): unknown =>
  name === 'content' ? resolveState(element[name], state) : element[name];

/** `Pressed {count} times` has three children, but is a single line. */
function joinTexts(nodes: MarkupNode[]): MarkupNode[] {
  const joined: MarkupNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    const isText = typeof node === 'string' || typeof node === 'number';
    if (isText && typeof last === 'string') joined[joined.length - 1] = last + String(node);
    else joined.push(isText ? String(node) : node);
  }
  return joined;
}

/** Elements in properties such as `buttons`. Text in other objects is not visible. */
const outermost = (part: unknown): Markup[] =>
  (Array.isArray(part) ? part : [part]).filter((item) => isMarkup(item));
