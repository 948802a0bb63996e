import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { IntegrationBlock } from '../../protocol/integration.js';
import { blockForLink, readLink } from './match-link.js';
import { initialOf } from '../ui/messages/integration-icon.js';

interface QuickInsertProps {
  blocks: readonly IntegrationBlock[];
  onInsert: (block: IntegrationBlock, link?: string) => void;
  onClose: () => void;
}

/** The menu of the manifest's blocks, which Ctrl / or ⌘ / opens. */
export function QuickInsert({ blocks, onInsert, onClose }: QuickInsertProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  // The next key press belongs to the field.
  useLayoutEffect(() => input.current?.focus(), []);

  const link = readLink(typed);
  const unfurled = link === undefined ? undefined : blockForLink(blocks, link);
  const wanted = typed.trim().toLowerCase();
  const found = unfurled
    ? [unfurled]
    : blocks.filter(({ title, description = '', id: name }) =>
        [title, description, name].some((text) => text.toLowerCase().includes(wanted)),
      );
  const insert = (block: IntegrationBlock | undefined): void => {
    if (block) onInsert(block, unfurled ? link : undefined);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') insert(found[active]);
    else if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % Math.max(1, found.length));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="quick-insert"
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
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        placeholder="Find a block, or paste a link"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {found.length > 0 ? (
        <div class="quick-list" role="listbox" id={id} aria-label="Blocks">
          {found.map((block, index) => (
            <BlockOption
              key={block.id}
              id={`${id}-${index}`}
              block={block}
              text={unfurled ? `Unfurl ${link ?? ''}` : (block.description ?? block.id)}
              active={index === active}
              onChoose={() => insert(block)}
            />
          ))}
        </div>
      ) : (
        <p class="quick-none quiet" role="status">
          {link === undefined
            ? 'No block has this title.'
            : 'No block unfurls this link (blocks[].urlUnfurl).'}
        </p>
      )}
    </div>
  );
}

interface BlockOptionProps {
  id: string;
  block: IntegrationBlock;
  text: string;
  active: boolean;
  onChoose: () => void;
}

function BlockOption({ id, block, text, active, onChoose }: BlockOptionProps): JSX.Element {
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      class={active ? 'quick-option active' : 'quick-option'}
      // The field has to keep the focus, because the list closes without it.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <BlockIcon block={block} />
      <span class="cut">
        <span class="quick-title cut">{block.title}</span>
        <span class="quick-text cut">{text}</span>
      </span>
    </div>
  );
}

function BlockIcon({ block }: { block: IntegrationBlock }): JSX.Element {
  const [failed, setFailed] = useState(false);
  if (block.icon === undefined || failed) {
    return (
      <span class="block-icon" aria-hidden="true">
        {initialOf(block.title)}
      </span>
    );
  }
  return (
    <img
      class="block-icon"
      src={`/console/assets/blocks/${encodeURIComponent(block.id)}`}
      alt=""
      onError={() => setFailed(true)}
    />
  );
}
