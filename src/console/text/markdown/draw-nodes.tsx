import { h, type ComponentChildren, type JSX } from 'preact';
import type {
  ContainerNode,
  FenceNode,
  MathNode,
  PageBlock,
  PageInline,
  TableNode,
  TagNode,
} from '../../../protocol/page/page-tree.js';
import { Icon } from '../../ui/icon.js';
import { iconFor } from '../../ui/icon-paths.js';

/** What differs between views that show Markdown. Everything else is rendered here. */
export interface NodeLook {
  heading(node: Extract<PageBlock, { kind: 'heading' }>, children: ComponentChildren): JSX.Element;
  code(node: FenceNode): JSX.Element;
  link(url: string, children: ComponentChildren, className?: string): ComponentChildren;
  image(url: string, alt: string, width?: number): ComponentChildren;
  /** Whether references to footnotes are links. */
  linksNotes?: true;
  tag?(node: TagNode): JSX.Element;
  /** Renders one of the product's own blocks. */
  container?(node: ContainerNode): JSX.Element;
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
      return node.view === 'cards' ? <Cards node={node} look={look} /> : <Table node={node} look={look} />;
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
    case 'container':
      return look.container?.(node) ?? <></>;
    case 'tag':
      return look.tag?.(node) ?? <></>;
  }
}

interface TableProps {
  node: TableNode;
  look: NodeLook;
}

function Table({ node, look }: TableProps): JSX.Element {
  const { head, rows, columns = [] } = node;
  const classOf = (at: number): string | undefined => {
    const { align } = columns[at] ?? {};
    return align && `at-${align}`;
  };
  const shown = <Cell,>(cells: readonly Cell[]): [Cell, number][] =>
    cells.map((cell, at): [Cell, number] => [cell, at]).filter(([, at]) => columns[at]?.role === undefined);
  const hasHead = head.some((cell) => cell.length > 0);
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Table">
      <table>
        {hasHead && (
          <thead>
            <tr>
              {shown(head).map(([cell, at]) => (
                <th key={at} scope="col" class={classOf(at)}>
                  {drawInlines(cell, look)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {shown(row).map(([cell, at]) => (
                <td key={at} class={classOf(at)}>
                  {drawInlines(cell, look)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A table whose rows are cards. Each card can have an image, and can be a link. */
function Cards({ node: { rows, columns = [] }, look }: TableProps): JSX.Element {
  const urlIn = (row: readonly PageInline[][], role: 'target' | 'cover'): string | undefined =>
    row[columns.findIndex((column) => column.role === role)]?.flatMap((one) =>
      one.kind === 'link' || one.kind === 'image' ? [one.url] : [],
    )[0];
  return (
    <ul class="cards">
      {rows.map((row, index) => {
        const [cover, target] = [urlIn(row, 'cover'), urlIn(row, 'target')];
        const cells = row.filter((cell, at) => columns[at]?.role === undefined && cell.length > 0);
        const isIcon = (cell: readonly PageInline[]): boolean => cell.every(({ kind }) => kind === 'icon');
        const title = cells.findIndex((cell) => !isIcon(cell));
        return (
          <li key={index} class="card">
            {cover !== undefined && look.image(cover, '')}
            {cells.map((cell, at) => {
              const text = drawInlines(cell, look);
              const isLink = at === title && target !== undefined;
              return (
                <div key={at} class={at === title ? 'card-title strong' : undefined}>
                  {isLink ? look.link(target, text, 'card-link') : text}
                </div>
              );
            })}
          </li>
        );
      })}
    </ul>
  );
}

/** Renders a list item, without the paragraph element if it is a single paragraph. */
export function drawItem(item: readonly PageBlock[], look: NodeLook): ComponentChildren {
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
    case 'kbd':
      return <kbd>{drawInlines(inline.children, look)}</kbd>;
    case 'sub':
      return <sub>{drawInlines(inline.children, look)}</sub>;
    case 'sup':
      return <sup>{drawInlines(inline.children, look)}</sup>;
    case 'mark':
      return (
        <mark data-tone={inline.tone} class={inline.isFilled ? 'filled' : undefined}>
          {drawInlines(inline.children, look)}
        </mark>
      );
    case 'icon': {
      const icon = iconFor(inline.name);
      return icon ? <Icon name={icon} size={18} /> : <span class="quiet">{inline.name}</span>;
    }
    case 'note':
      return (
        <sup>
          {look.linksNotes ? (
            <a href={`#note-${inline.number}`} aria-label={`Footnote ${inline.number}`}>
              {inline.number}
            </a>
          ) : (
            inline.number
          )}
        </sup>
      );
    case 'math': {
      if (!inline.math) return <code>{`$$${inline.text}$$`}</code>;
      const formula = <MathView node={inline.math} />;
      return inline.isBlock ? (
        <span class="formula" tabIndex={0} role="group" aria-label="Formula">
          {formula}
        </span>
      ) : (
        formula
      );
    }
    case 'link': {
      const button = inline.button && `button button-link ${inline.button}`;
      return look.link(inline.url, drawInlines(inline.children, look), button);
    }
    case 'image':
      return look.image(inline.url, inline.alt, inline.width);
  }
}

const MathView = ({ node: { tag, attributes, children } }: { node: MathNode }): JSX.Element =>
  h(
    tag,
    attributes,
    children.map((child, key) => (typeof child === 'string' ? child : <MathView key={key} node={child} />)),
  );
