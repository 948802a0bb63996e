import type { JSX } from 'preact';
import { Code } from '../../console/text/code/code.js';
import { plainText, type FenceNode, type PageBlock, type TagNode } from '../../content/page/index.js';
import { drawNodes, type NodeLook } from '../../console/text/markdown/draw-nodes.js';
import { safeImage, safeLink } from '../../console/text/safe-url.js';
import { Icon } from '../../console/ui/icon.js';
import type { DrawnBlock } from './render-blocks.js';

export interface PageDrawing {
  /** The URL of the page's file, which is used as the base for relative links. */
  url: string;
  /** If the URL is that of another page's file, returns the URL of that page. */
  addressOf(url: string): string | undefined;
  /** Leaves out a first heading that repeats the title, which is already shown above the text. */
  nodes: readonly PageBlock[];
  /** The blocks, keyed by their tags. */
  blocks: ReadonlyMap<
    TagNode | FenceNode,
    { title: string; drawn: DrawnBlock } | { label: string; note: string }
  >;
}

export const PageText = ({ page }: { page: PageDrawing }): JSX.Element => (
  <div class="prose">{drawNodes(page.nodes, lookOf(page))}</div>
);

const lookOf = (page: PageDrawing): NodeLook => ({
  heading({ id, level, children: text }, children) {
    const Heading = `h${Math.min(6, Math.max(2, level))}` as 'h2';
    return (
      <Heading id={id}>
        {children}
        <a class="heading-link" href={`#${id ?? ''}`} aria-label={`Link to ${plainText(text)}`}>
          <span aria-hidden="true">#</span>
        </a>
      </Heading>
    );
  },
  code: (node) =>
    page.blocks.has(node) ? (
      <BlockView node={node} page={page} />
    ) : (
      <div class="page-code">
        <div class="page-code-head">
          <span>{node.language}</span>
          <button type="button" class="copy" data-copy hidden>
            <Icon name="copy" size={14} /> <span>Copy</span>
          </button>
        </div>
        <Code text={node.text} label={node.language ? `${node.language} code` : 'Code'} />
      </div>
    ),
  tag: (tag) => <TagView tag={tag} page={page} />,
  link(url, children) {
    const href = safeLink(url, page.url);
    if (href === undefined) return <span>{children}</span>;
    return isOwn(href, page) ? (
      <a href={page.addressOf(href) ?? href}>{children}</a>
    ) : (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  },
  image(url, alt) {
    const source = safeImage(url, page.url);
    if (source === undefined) return alt;
    if (isOwn(source, page) || source.startsWith('data:'))
      return <img src={source} alt={alt} loading="lazy" />;
    // Loading the image would tell its server who is reading which page, so the reader decides whether to load it.
    return (
      <button type="button" class="remote-image" data-image={source} data-alt={alt}>
        <Icon name="image" /> Show the image from {new URL(source).host}
        {alt && `: ${alt}`}
      </button>
    );
  },
});

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
        // `<` is escaped, because a `</script>` in the data would end the element too early.
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

const isOwn = (url: string, page: PageDrawing): boolean => url.startsWith(`${new URL(page.url).origin}/`);
