import { options, type VNode } from 'preact';

/**
 * Preact numbers ids from the nearest node that has a counter. With a counter per block, ids are the same on
 * the server and in the browser, and differ between blocks. Preact has no public name for it.
 */
export function islandOf(nth: number, view: VNode): VNode {
  (view as VNode & { __m?: [number, number] }).__m = [nth + 1, 0];
  return view;
}

/**
 * Moves the markup's styles to `data-style`, from where the site's script applies them, because the page
 * allows no inline styles.
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
