import type { Values } from './basics/read-markup.js';

/** Maps elements in the markup to their nodes on the page, and vice versa. */
const drawnAt = new WeakMap<Values, Element>();
const elementAt = new WeakMap<Element, Values>();
/** The line of the element in the outline, while the outline is open. */
const listedAt = new WeakMap<Values, Element>();
let highlighted: readonly Element[] = [];

export function noteDrawn(element: Values, node: Element | null): void {
  if (!node) return;
  drawnAt.set(element, node);
  elementAt.set(node, element);
}

export function noteListed(element: Values, node: Element | null): void {
  if (node) listedAt.set(element, node);
  else listedAt.delete(element);
}

/** Highlights an element on the page and in the outline, or removes the highlight if no element is passed. */
export function highlight(element?: Values): void {
  for (const node of highlighted) node.removeAttribute('data-highlighted');
  const nodes = element ? [drawnAt.get(element), listedAt.get(element)] : [];
  highlighted = nodes.filter((node) => node !== undefined);
  for (const node of highlighted) node.setAttribute('data-highlighted', '');
}

/** Highlights the innermost element around a node on the page, if the element is in the outline. */
export function highlightAround(node: EventTarget | null): void {
  for (let at = node instanceof Element ? node : null; at; at = at.parentElement) {
    const element = elementAt.get(at);
    const line = element && listedAt.get(element);
    if (!line) continue;
    highlight(element);
    line.scrollIntoView({ block: 'nearest' });
    return;
  }
  highlight();
}
