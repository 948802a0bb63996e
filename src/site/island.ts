import { options, type VNode } from 'preact';

/**
 * Preact numbers ids starting from the nearest node that has a counter. Because each block has its own counter, its ids are the
 * same on the server and in the browser, and differ from those of other blocks. Preact has no public name for this counter.
 */
export function islandOf(nth: number, view: VNode): VNode {
  (view as VNode & { __m?: [number, number] }).__m = [nth + 1, 0];
  return view;
}

/**
 * Moves the styles in the markup to `data-style`, because the page does not allow inline styles. The site's script applies them
 * later.
 */
export function moveStyles(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    before?.(vnode);
    const props = vnode.props as Record<string, unknown>;
    if (typeof vnode.type !== 'string' || typeof props['style'] !== 'object') return;
    props['data-style'] = cssOf(props['style'] as Record<string, string>);
    delete props['style'];
  };
}

const cssOf = (style: Record<string, string>): string | undefined =>
  Object.entries(style)
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}:${value}`)
    .join(';') || undefined;
