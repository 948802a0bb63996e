import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { IntegrationBlock } from '../../protocol/integration.js';
import { blockForLink, readLink } from '../../protocol/match-link.js';
import { Icon, type IconName } from '../ui/icon.js';
import { Keys } from '../shell/keys.js';
import { BlockIcon } from './block-icon.js';

interface QuickInsertProps {
  blocks: readonly IntegrationBlock[];
  onInsert: (block: IntegrationBlock, link?: string) => void;
  onLink?: (kind: 'embed' | 'link', link: string) => void;
  /** Called when the user moves the menu to another position with Alt and an arrow key. */
  onMove?: (step: 1 | -1) => void;
  /** The text that the user has already typed. */
  initial?: string;
  onClose: () => void;
}

interface Option {
  id: string;
  icon: JSX.Element;
  title: string;
  text: string;
  choose: () => void;
}

export function QuickInsert(props: QuickInsertProps): JSX.Element {
  const { blocks, onInsert, onLink, onMove, initial = '', onClose } = props;
  const [typed, setTyped] = useState(initial);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    // Focuses the field, because it must receive the next key press.
    input.current?.focus();
    input.current?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, []);

  const link = readLink(typed);
  const unfurled = link === undefined ? undefined : blockForLink(blocks, link);
  const wanted = typed.trim().toLowerCase();
  const found = unfurled
    ? [unfurled]
    : blocks.filter(({ title, description = '', id: name }) =>
        [title, description, name].some((text) => text.toLowerCase().includes(wanted)),
      );
  const options: Option[] = found.map((block) => ({
    id: block.id,
    icon: <BlockIcon block={block} />,
    title: block.title,
    text: unfurled ? `Unfurl ${link ?? ''}` : (block.description ?? block.id),
    choose: () => onInsert(block, unfurled ? link : undefined),
  }));
  if (link !== undefined && onLink)
    options.push(
      linkOption('globe', 'Embed', 'A card that shows the URL', () => onLink('embed', link)),
      linkOption('link', 'Plain link', 'The URL as text', () => onLink('link', link)),
    );

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') options[active]?.choose();
    else if (step && event.altKey && onMove) onMove(step);
    else if (step) setActive((active + options.length + step) % Math.max(1, options.length));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="popup quick-insert"
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
          onClose();
      }}
    >
      <input
        ref={input}
        class="quick-input"
        role="combobox"
        type="text"
        aria-label="Insert a block"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={options[active] ? `${id}-${active}` : undefined}
        placeholder="Find a block, or paste a link"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {options.length > 0 ? (
        <div class="quick-list" role="listbox" id={id} aria-label="Blocks">
          {options.map((option, index) => (
            <OptionView key={option.id} id={`${id}-${index}`} option={option} active={index === active} />
          ))}
        </div>
      ) : (
        <p class="quick-none quiet" role="status">
          {link === undefined ? 'No matching blocks.' : 'No block unfurls this link (blocks[].urlUnfurl).'}
        </p>
      )}
      <p class="wrap quick-keys quiet small">
        <span>
          <Keys keys="↑ ↓" /> choose
        </span>
        <span>
          <Keys keys="Enter" /> insert
        </span>
        {onMove && (
          <span>
            <Keys keys="Alt ↑ ↓" /> move
          </span>
        )}
        <span>
          <Keys keys="Esc" /> close
        </span>
      </p>
    </div>
  );
}

const linkOption = (icon: IconName, title: string, text: string, choose: () => void): Option => ({
  id: `:${icon}`,
  icon: (
    <span class="tile block-icon" aria-hidden="true">
      <Icon name={icon} />
    </span>
  ),
  title,
  text,
  choose,
});

function OptionView(props: { id: string; option: Option; active: boolean }): JSX.Element {
  const { id, option, active } = props;
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      class={active ? 'bar pick option active' : 'bar pick option'}
      // Keeps the focus on the field, because the list closes when the field loses focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={option.choose}
    >
      {option.icon}
      <span class="column cut">
        <span class="semi cut">{option.title}</span>
        <span class="quiet small cut">{option.text}</span>
      </span>
    </div>
  );
}
