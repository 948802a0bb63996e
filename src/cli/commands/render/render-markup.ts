/** Markup as an author would write it. */
export function renderMarkup(node: unknown, indent = ''): string {
  if (node === null || node === undefined || typeof node === 'boolean') return `${indent}(nothing)`;
  if (typeof node === 'string' || typeof node === 'number') return `${indent}${node}`;
  if (typeof node !== 'object') return `${indent}(unknown)`;
  if (Array.isArray(node)) return node.map((child) => renderMarkup(child, indent)).join('\n');
  const { type, children, ...props } = node as { type?: unknown; children?: unknown };
  const name = String(type);
  const attributes = Object.entries(props)
    .map(
      ([key, value]) =>
        ` ${key}=${typeof value === 'string' ? JSON.stringify(value) : `{${JSON.stringify(value)}}`}`,
    )
    .join('');
  const inner = (Array.isArray(children) ? children : [children]).filter(
    (child) => child !== undefined && child !== null,
  );
  if (inner.length === 0) return `${indent}<${name}${attributes} />`;
  if (inner.every((child) => typeof child !== 'object'))
    return `${indent}<${name}${attributes}>${inner.join('')}</${name}>`;
  return `${indent}<${name}${attributes}>\n${renderMarkup(inner, `${indent}  `)}\n${indent}</${name}>`;
}
