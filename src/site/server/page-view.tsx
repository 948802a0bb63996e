import type { ComponentChildren, JSX } from 'preact';
import { Code } from '../../console/text/code/code.js';
import type { FenceNode, PageBlock, PageInline, TagNode } from '../../content/page/index.js';
import { safeImage, safeLink } from '../../console/text/safe-url.js';
import { Icon } from '../../console/ui/icon.js';
import type { DrawnBlock } from './render-blocks.js';

export interface PageDrawing {
  /** The URL of the page's file, as the base of relative links. */
  url: string;
  /** The address of another page, if the URL is that of its file. */
  addressOf(url: string): string | undefined;
  /** The title is above the text, so a first heading that repeats it is left out. */
  nodes: readonly PageBlock[];
  /** The blocks by the tag that inserts them. */
  blocks: ReadonlyMap<
    TagNode | FenceNode,
    { title: string; drawn: DrawnBlock } | { label: string; note: string }
  >;
}

export const PageText = ({ page }: { page: PageDrawing }): JSX.Element => (
  <div class="prose">{drawNodes(page.nodes, page)}</div>
);

const drawNodes = (nodes: readonly PageBlock[], page: PageDrawing): ComponentChildren =>
  nodes.map((node, index) => <NodeView key={index} node={node} page={page} />);

function NodeView({ node, page }: { node: PageBlock; page: PageDrawing }): JSX.Element {
  switch (node.kind) {
    case 'heading': {
      const { id } = node;
      const text = plainText(node.children);
      const Heading = `h${Math.min(6, Math.max(2, node.level))}` as 'h2';
      return (
        <Heading id={id}>
          {drawInlines(node.children, page)}
          <a class="heading-link" href={`#${id}`} aria-label={`Link to ${text}`}>
            <span aria-hidden="true">#</span>
          </a>
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{drawInlines(node.children, page)}</p>;
    case 'code':
      if (page.blocks.has(node)) return <BlockView node={node} page={page} />;
      return (
        <div class="page-code">
          <div class="page-code-head">
            <span>{node.language || 'text'}</span>
            <button type="button" class="copy" data-copy hidden>
              <Icon name="copy" size={14} /> <span>Copy</span>
            </button>
          </div>
          <Code text={node.text} label={node.language ? `${node.language} code` : 'Code'} />
        </div>
      );
    case 'quote':
      return <blockquote>{drawNodes(node.children, page)}</blockquote>;
    case 'rule':
      return <hr />;
    case 'list': {
      const items = node.items.map((item, index) => <li key={index}>{drawItem(item, page)}</li>);
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
                    {drawInlines(cell, page)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {node.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>{drawInlines(cell, page)}</td>
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
          <div>{drawItem(node.children, page)}</div>
        </div>
      );
    case 'tag':
      return <TagView tag={node} page={page} />;
  }
}

/** An item with one paragraph is shown without the paragraph element. */
function drawItem(item: readonly PageBlock[], page: PageDrawing): ComponentChildren {
  const [first, ...rest] = item;
  if (first?.kind !== 'paragraph') return drawNodes(item, page);
  return [drawInlines(first.children, page), drawNodes(rest, page)];
}

function BlockView({ node, page }: { node: TagNode | FenceNode; page: PageDrawing }): JSX.Element | null {
  const block = page.blocks.get(node);
  if (!block) return null;
  if ('note' in block) {
    return (
      <p class="other-tag">
        <code>{block.label}</code> {block.note}
      </p>
    );
  }
  const { data, html } = block.drawn;
  return (
    <section class="site-block" data-block={data.component} aria-label={block.title}>
      <script
        type="application/json"
        // Text that ends the element would end it early.
        dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
      />
      <div class="island" inert dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  );
}

function TagView({ tag, page }: { tag: TagNode; page: PageDrawing }): JSX.Element {
  if (tag.type === 'block') return <BlockView node={tag} page={page} />;
  const href = tag.type === 'embed' ? safeLink(tag.url, page.url) : undefined;
  if (tag.type === 'other' || href === undefined || href.startsWith('mailto:')) {
    return (
      <p class="other-tag">
        <code>{tag.type === 'other' ? tag.name : 'embed'}</code> {tag.type === 'other' && tag.problem}
      </p>
    );
  }
  const { host, pathname } = new URL(href);
  return (
    <a class="embed" href={href} target="_blank" rel="noopener noreferrer">
      <Icon name="globe" />
      <span class="cut">
        <strong>{tag.type === 'embed' && tag.caption ? tag.caption : host}</strong>{' '}
        <span class="quiet">{tag.type === 'embed' && tag.caption ? host : pathname.replace(/^\/$/, '')}</span>
      </span>
    </a>
  );
}

const drawInlines = (inlines: readonly PageInline[], page: PageDrawing): ComponentChildren =>
  inlines.map((inline, index) => <InlineView key={index} inline={inline} page={page} />);

function InlineView({ inline, page }: { inline: PageInline; page: PageDrawing }): ComponentChildren {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'strong':
      return <strong>{drawInlines(inline.children, page)}</strong>;
    case 'emphasis':
      return <em>{drawInlines(inline.children, page)}</em>;
    case 'deleted':
      return <del>{drawInlines(inline.children, page)}</del>;
    case 'code':
      return <code>{inline.text}</code>;
    case 'break':
      return <br />;
    case 'link': {
      const href = safeLink(inline.url, page.url);
      const children = drawInlines(inline.children, page);
      if (href === undefined) return <span>{children}</span>;
      return isOwn(href, page) ? (
        <a href={page.addressOf(href) ?? href}>{children}</a>
      ) : (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      );
    }
    case 'image': {
      const source = safeImage(inline.url, page.url);
      if (source === undefined) return inline.alt;
      if (isOwn(source, page) || source.startsWith('data:'))
        return <img src={source} alt={inline.alt} loading="lazy" />;
      // Its server would learn who reads which page, so a person decides.
      return (
        <button type="button" class="remote-image" data-image={source} data-alt={inline.alt}>
          <Icon name="image" /> Show the image from {new URL(source).host}
          {inline.alt && `: ${inline.alt}`}
        </button>
      );
    }
  }
}

const isOwn = (url: string, page: PageDrawing): boolean => url.startsWith(`${new URL(page.url).origin}/`);

/** The text of inline nodes, without formatting. */
export const plainText = (inlines: readonly PageInline[]): string =>
  inlines
    .map((inline) => {
      if ('children' in inline) return plainText(inline.children);
      if ('text' in inline) return inline.text;
      return inline.kind === 'image' ? inline.alt : ' ';
    })
    .join('');
