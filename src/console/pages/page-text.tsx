import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PageResource } from '../../contract/routes/content.js';
import type { IntegrationBlock } from '../../protocol/integration.js';
import { plainText } from '../../protocol/page/page-text.js';
import type { PageBlock } from '../../protocol/page/page-tree.js';
import { QuickInsert } from '../blocks/quick-insert.js';
import { NodeView, type NodeLook } from '../text/markdown/draw-nodes.js';
import { Icon } from '../ui/icon.js';

/** The open menu, its position and the text that the user has already typed. */
export interface OpenMenu {
  at: number;
  typed: string;
}

interface PageTextProps {
  page: PageResource;
  look: NodeLook;
  known: readonly IntegrationBlock[];
  menu: OpenMenu | undefined;
  /** The position of the next insertion. */
  at: number;
  setAt: (at: number) => void;
  setMenu: (menu: OpenMenu | undefined) => void;
  onInsert: (at: number, block: IntegrationBlock, link?: string) => void;
  onLink: (at: number, kind: 'embed' | 'link', link: string) => void;
}

/** The page. The quick-insert menu can be opened before, between and after the page's parts. */
export function PageText(props: PageTextProps): JSX.Element {
  const { page, look, menu, at, setAt, setMenu } = props;
  const box = useRef<HTMLDivElement>(null);
  const { blocks, title } = page;
  const [first] = blocks;
  const repeatsTitle = first?.kind === 'heading' && plainText(first.children) === title;
  const last = page.ends.length;
  const focusAt = useRef<number | undefined>(undefined);
  // A layout effect, because the user may press the next key before other effects run.
  useLayoutEffect(() => {
    if (focusAt.current === undefined || menu) return;
    box.current?.querySelector<HTMLElement>(`[data-at="${focusAt.current}"]`)?.focus();
    focusAt.current = undefined;
  });
  const moveTo = (position: number): void => {
    const next = Math.max(0, Math.min(last, position));
    setAt(next);
    if (menu) setMenu({ ...menu, at: next });
    else focusAt.current = next;
  };

  const point = (position: number): JSX.Element =>
    menu?.at === position ? (
      <div class="insert-menu">
        <QuickInsert
          blocks={props.known}
          initial={menu.typed}
          onInsert={(block, link) => props.onInsert(position, block, link)}
          onLink={(kind, link) => props.onLink(position, kind, link)}
          onMove={(step) => moveTo(position + step)}
          onClose={() => {
            focusAt.current = position;
            setMenu(undefined);
          }}
        />
      </div>
    ) : (
      <button
        type="button"
        class={position === 0 && repeatsTitle ? 'insert-point before-title' : 'insert-point'}
        data-at={position}
        tabIndex={position === Math.min(at, last) ? 0 : -1}
        aria-label={position === 0 ? 'Insert at the start' : `Insert after ${describe(blocks[position - 1])}`}
        onFocus={() => setAt(position)}
        onClick={() => setMenu({ at: position, typed: '' })}
        onKeyDown={(event) => {
          const to = { ArrowDown: position + 1, ArrowUp: position - 1, Home: 0, End: last }[event.key];
          if (to === undefined) return;
          event.preventDefault();
          moveTo(to);
        }}
      >
        <Icon name="plus" size={14} />
      </button>
    );

  return (
    <div class="page-text prose" ref={box}>
      {point(0)}
      {blocks.map((block, index) => (
        <div key={index} class="page-row">
          {!(index === 0 && repeatsTitle) && <NodeView node={block} look={look} />}
          {point(index + 1)}
        </div>
      ))}
    </div>
  );
}

/** Describes a part of a page in a few words. */
function describe(block: PageBlock | undefined): string {
  const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
  switch (block?.kind) {
    case 'heading':
    case 'paragraph':
      return `${block.kind} “${short(plainText(block.children).trim())}”`;
    case 'tag':
      return block.type === 'block'
        ? `block ${block.component}`
        : block.type === 'embed'
          ? 'embed'
          : block.name;
    case 'code':
      return 'code';
    case 'rule':
      return 'line';
    default:
      return block?.kind ?? 'the start';
  }
}
