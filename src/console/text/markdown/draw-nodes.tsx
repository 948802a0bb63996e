import type { ComponentChildren, JSX } from 'preact';
import type { FenceNode, PageBlock, PageInline, TagNode } from '../../../protocol/page/page-tree.js';

/** What differs between views that show Markdown. Everything else is rendered here. */
export interface NodeLook {
  heading(node: Extract<PageBlock, { kind: 'heading' }>, children: ComponentChildren): JSX.Element;
  code(node: FenceNode): JSX.Element;
  link(url: string, children: ComponentChildren): ComponentChildren;
  image(url: string, alt: string): ComponentChildren;
  tag?(node: TagNode): JSX.Element;
}

/** Renders Markdown as elements. Text never becomes HTML. */
export const drawNodes = (nodes: readonly PageBlock[], look: NodeLook): ComponentChildren =>
  nodes.map((node, index) => <NodeView key={index} node={node} look={look} />);

export function NodeView({ node, look }: { node: PageBlock; look: NodeLook }): JSX.Element {
  switch (node.kind) {
    case 'heading':
      return look.heading(node, drawInlines(node.children, look));
    case 'paragraph':
      return <p>{drawInlines(node.children, look)}</p>;
    case 'code':
      return look.code(node);
    case 'quote':
      return <blockquote>{drawNodes(node.children, look)}</blockquote>;
    case 'rule':
      return <hr />;
    case 'list': {
      const items = node.items.map((item, index) => <li key={index}>{drawItem(item, look)}</li>);
      return node.ordered ? <ol start={node.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="Table">
          <table>
            <thead>
              <tr>
                {node.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {drawInlines(cell, look)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {node.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>{drawInlines(cell, look)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'task':
      return (
        <div class="task">
          <input
            type="checkbox"
            class="tick"
            disabled
            checked={node.done}
            aria-label={node.done ? 'Done' : 'Open'}
          />
          <div>{drawItem(node.children, look)}</div>
        </div>
      );
    case 'tag':
      return look.tag?.(node) ?? <></>;
  }
}

/** Renders a list item, without the paragraph element if it is a single paragraph. */
function drawItem(item: readonly PageBlock[], look: NodeLook): ComponentChildren {
  const [first, ...rest] = item;
  if (first?.kind !== 'paragraph') return drawNodes(item, look);
  return [drawInlines(first.children, look), drawNodes(rest, look)];
}

const drawInlines = (inlines: readonly PageInline[], look: NodeLook): ComponentChildren =>
  inlines.map((inline, index) => <InlineView key={index} inline={inline} look={look} />);

function InlineView({ inline, look }: { inline: PageInline; look: NodeLook }): ComponentChildren {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'strong':
      return <strong>{drawInlines(inline.children, look)}</strong>;
    case 'emphasis':
      return <em>{drawInlines(inline.children, look)}</em>;
    case 'deleted':
      return <del>{drawInlines(inline.children, look)}</del>;
    case 'code':
      return <code>{inline.text}</code>;
    case 'break':
      return <br />;
    case 'link':
      return look.link(inline.url, drawInlines(inline.children, look));
    case 'image':
      return look.image(inline.url, inline.alt);
  }
}
