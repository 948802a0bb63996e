import type { JSX } from 'preact';
import { ComponentView } from '../markup/component-view.js';
import { highlightAround } from '../markup/element-nodes.js';
import { Icon } from '../ui/icon.js';
import type { HeldSession } from './use-block-sessions.js';

interface DocumentBlockProps {
  id: string;
  title: string;
  held: Pick<HeldSession, 'session' | 'host'>;
  selected: boolean;
  onSelect: () => void;
  onOpen?: () => void;
  onRemove: () => void;
}

export function DocumentBlock(props: DocumentBlockProps): JSX.Element {
  const { id, title, held, selected, onSelect, onOpen = onSelect, onRemove } = props;
  return (
    <section
      id={`block-${id}`}
      class={selected ? 'document-block selected' : 'document-block'}
      aria-label={`Block ${title}`}
      onFocusIn={onSelect}
      onPointerDown={onSelect}
      onPointerOver={({ target }) => highlightAround(target)}
      onPointerLeave={() => highlightAround(null)}
    >
      <div class="block-handle">
        <button type="button" class="block-name" aria-pressed={selected} onClick={onOpen}>
          {title}
        </button>
        <button
          type="button"
          class="block-remove"
          aria-label={`Remove ${title}`}
          title="Remove"
          onClick={onRemove}
        >
          <Icon name="trash" size={14} />
        </button>
      </div>
      <ComponentView key={id} session={held.session} host={held.host} />
    </section>
  );
}
