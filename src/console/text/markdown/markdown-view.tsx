import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Code } from '../code/code.js';
import type { Inline } from './markdown-inline.js';
import { parseMarkdown, type Block } from './markdown.js';
import { safeImage, safeLink } from '../safe-url.js';

/** The context of a piece of Markdown. */
interface Surroundings {
  /** The base of relative URLs. */
  base: string;
  /** The level of its highest heading. */
  top: number;
}

/** Markdown as elements. Text never becomes HTML. */
export function MarkdownView({
  source,
  base = location.href,
}: {
  source: string;
  base?: string;
}): JSX.Element {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  const levels = blocks.flatMap((block) => (block.kind === 'heading' ? [block.level] : []));
  return <div class="prose">{drawBlocks(blocks, { base, top: Math.min(...levels, 6) })}</div>;
}

const drawBlocks = (blocks: readonly Block[], around: Surroundings): ComponentChildren =>
  blocks.map((block, index) => <BlockView key={index} block={block} around={around} />);

function BlockView({ block, around }: { block: Block; around: Surroundings }): JSX.Element {
  const { base, top } = around;
  switch (block.kind) {
    case 'heading': {
      const Heading = headings[block.level - top] ?? 'h5';
      return <Heading>{drawInlines(block.children, base)}</Heading>;
    }
    case 'paragraph':
      return <p>{drawInlines(block.children, base)}</p>;
    case 'code':
      return <Code text={block.text} label={block.language || 'Code'} />;
    case 'quote':
      return <blockquote>{drawBlocks(block.children, around)}</blockquote>;
    case 'rule':
      return <hr />;
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{drawItem(item, around)}</li>);
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="Table">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, index) => (
                  <th key={index} scope="col">
                    {drawInlines(cell, base)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>
                  {row.map((cell, at) => (
                    <td key={at}>{drawInlines(cell, base)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

/** Headings continue below those of the page, without skipping a level. */
const headings = ['h3', 'h4', 'h5'] as const;

/** An item with one paragraph is shown without the paragraph element. */
function drawItem(item: readonly Block[], around: Surroundings): ComponentChildren {
  const [first, ...rest] = item;
  if (first?.kind !== 'paragraph') return drawBlocks(item, around);
  return [drawInlines(first.children, around.base), drawBlocks(rest, around)];
}

const drawInlines = (inlines: readonly Inline[], base: string): ComponentChildren =>
  inlines.map((inline, index) => <InlineView key={index} inline={inline} base={base} />);

function InlineView({ inline, base }: { inline: Inline; base: string }): ComponentChildren {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'strong':
      return <strong>{drawInlines(inline.children, base)}</strong>;
    case 'emphasis':
      return <em>{drawInlines(inline.children, base)}</em>;
    case 'deleted':
      return <del>{drawInlines(inline.children, base)}</del>;
    case 'code':
      return <code>{inline.text}</code>;
    case 'break':
      return <br />;
    case 'link': {
      const href = safeLink(inline.url, base);
      const children = drawInlines(inline.children, base);
      return href ? (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      ) : (
        <span title={`Not opened, because it is not an http, https or mailto URL: ${inline.url}`}>
          {children}
        </span>
      );
    }
    case 'image': {
      const source = safeImage(inline.url, base);
      return source ? <img src={source} alt={inline.alt} loading="lazy" /> : inline.alt;
    }
  }
}
