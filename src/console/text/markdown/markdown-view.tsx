import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Code } from '../code/code.js';
import { safeImage, safeLink } from '../safe-url.js';
import { drawNodes, type NodeLook } from './draw-nodes.js';
import { parseMarkdown } from './markdown.js';

/** Renders Markdown as elements. Text never becomes HTML. */
export function MarkdownView({
  source,
  base = location.href,
}: {
  source: string;
  base?: string;
}): JSX.Element {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []));
  return <div class="prose">{drawNodes(blocks, lookOf(base, Math.min(...levels, 6)))}</div>;
}

/** `top` is the level of the highest heading. */
const lookOf = (base: string, top: number): NodeLook => ({
  heading({ level }, children) {
    const Heading = headings[level - top] ?? 'h5';
    return <Heading>{children}</Heading>;
  },
  code: ({ text, language }) => <Code text={text} label={language || 'Code'} />,
  link(url, children) {
    const href = safeLink(url, base);
    return href ? (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span title={`The link wasn't opened because only http, https and mailto URLs are allowed: ${url}`}>
        {children}
      </span>
    );
  },
  image(url, alt) {
    const source = safeImage(url, base);
    return source ? <img src={source} alt={alt} loading="lazy" /> : alt;
  },
});

/** Headings start one level below the page's own headings, without skipping a level. */
const headings = ['h3', 'h4', 'h5'] as const;
