import type { JSX } from 'preact';
import {
  headingIdOnGitHub,
  plainText,
  type FenceNode,
  type PageBlock,
  type TagNode,
} from '../../content/page/index.js';
import { drawNodes, type NodeLook } from '../../console/text/markdown/draw-nodes.js';
import {
  CodeBlock,
  EmbedCard,
  NativeBlock,
  type NativeLook,
  type Reference,
} from '../../console/text/markdown/native-block.js';
import { safeImage, safeLink } from '../../console/text/safe-url.js';
import { Icon } from '../../console/ui/icon.js';
import { checkCondition } from './check-condition.js';
import type { DrawnBlock } from './render-blocks.js';

export interface PageDrawing {
  /** The URL of the page's file, which is used as the base for relative links. */
  url: string;
  /** If the URL is that of another page's file, returns the URL of that page. */
  addressOf(url: string): string | undefined;
  /** Returns the page or file at a URL. */
  refer(url: string): Reference | undefined;
  /** Returns the URL of a file in the same space. */
  urlOfFile(file: string): string;
  /** Whether the page is written to a file, where its blocks cannot do anything. */
  isStatic?: boolean | undefined;
  /** Leaves out a first heading that repeats the title, which is already shown above the text. */
  nodes: readonly PageBlock[];
  /** The blocks, keyed by their tags. */
  blocks: ReadonlyMap<
    TagNode | FenceNode,
    { title: string; integration: string; drawn: DrawnBlock } | { label: string; note: string }
  >;
}

export const PageText = ({ page }: { page: PageDrawing }): JSX.Element => (
  <div class="prose">{drawNodes(page.nodes, lookOf(page))}</div>
);

export const PageCover = ({ page, url }: { page: PageDrawing; url: string }): JSX.Element => (
  <div class="cover">{lookOf(page).image(url, '')}</div>
);

const lookOf = (page: PageDrawing): NativeLook => {
  const look: NativeLook = {
    container: (node) => <NativeBlock node={node} look={look} />,
    refer(url) {
      const href = safeLink(url, page.url);
      if (href === undefined) return undefined;
      return isOwn(href, page) ? page.refer(href) : { title: new URL(href).host, text: href, href };
    },
    within: (file) => lookOf({ ...page, url: page.urlOfFile(file) }),
    condition(text, branches) {
      // The page is the same for everyone. Its script asks which conditions hold for the current visitor.
      const holds = checkCondition(text, {});
      if (holds === undefined) return undefined;
      return branches.map((nodes, at) => {
        const isElse = at === 1;
        const isShown = holds !== isElse;
        return page.isStatic && !isShown ? null : (
          <div key={at} class="flow" data-if={text} data-else={isElse || undefined} hidden={!isShown}>
            {drawNodes(nodes, look)}
          </div>
        );
      });
    },
    ...baseLook(page),
  };
  return look;
};

const baseLook = (page: PageDrawing): NodeLook => ({
  heading({ id, level, children: text }, children) {
    const other = headingIdOnGitHub(plainText(text));
    const Heading = `h${Math.min(6, Math.max(2, level))}` as 'h2';
    return (
      <Heading id={id}>
        {other !== id && <span id={other} />}
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
      <CodeBlock
        node={node}
        action={
          <button type="button" class="button quiet small copy" data-copy="" hidden>
            <Icon name="copy" size={14} /> <Icon name="check" size={14} />{' '}
            <span aria-live="polite">Copy</span>
          </button>
        }
      />
    ),
  tag: (tag) => <TagView tag={tag} page={page} />,
  linksNotes: true,
  link(url, children, className) {
    const href = safeLink(url, page.url);
    if (href === undefined) return <span>{children}</span>;
    return isOwn(href, page) ? (
      <a class={className} href={page.addressOf(href) ?? href}>
        {children}
      </a>
    ) : (
      <a class={className} href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  },
  image(url, alt, width) {
    const source = safeImage(url, page.url);
    if (source === undefined) return alt;
    if (isOwn(source, page) || source.startsWith('data:'))
      return <img src={source} alt={alt} width={width} loading="lazy" />;
    // Loading the image would tell its server who is reading which page, so the reader decides whether to load it.
    return (
      <button type="button" class="dashed remote-image" data-image={source} data-alt={alt}>
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
      <p class="dashed other-tag">
        <code>{block.label}</code> {block.note}
      </p>
    );
  }
  const { data, html } = block.drawn;
  if (page.isStatic) {
    const still = html.replaceAll(/<(?:button|input|select|textarea)\b/g, '$& disabled');
    return (
      <section class="site-block" data-block={data.component} aria-label={block.title}>
        <div class="card island" dangerouslySetInnerHTML={{ __html: still }} />
        <p class="bar quiet small block-source">
          <Icon name="blocks" size={12} /> {block.integration}
          {still !== html && ' · This is a preview, so the controls of this block don’t work.'}
        </p>
      </section>
    );
  }
  return (
    <section class="site-block" data-block={data.component} aria-label={block.title}>
      <script
        type="application/json"
        // `<` is escaped, because a `</script>` in the data would end the element too early.
        dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
      />
      <div class="card island" inert={!data.failed} dangerouslySetInnerHTML={{ __html: html }} />
      <p class="bar quiet small block-source">
        <Icon name="blocks" size={12} /> {block.integration}
      </p>
    </section>
  );
}

function TagView({ tag, page }: { tag: TagNode; page: PageDrawing }): JSX.Element {
  if (tag.type === 'block') return <BlockView node={tag} page={page} />;
  const href = tag.type === 'embed' ? safeLink(tag.url, page.url) : undefined;
  if (tag.type === 'other' || href === undefined || href.startsWith('mailto:')) {
    return (
      <p class="dashed other-tag">
        <code>{tag.type === 'other' ? tag.name : 'embed'}</code> {tag.type === 'other' && tag.problem}
      </p>
    );
  }
  return <EmbedCard href={href} caption={tag.type === 'embed' ? tag.caption : ''} />;
}

const isOwn = (url: string, page: PageDrawing): boolean => url.startsWith(`${new URL(page.url).origin}/`);
