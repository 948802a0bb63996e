import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { IntegrationBlock } from '../../protocol/integration.js';
import { imageUrl } from '../ui/state/image-url.js';
import { Icon } from '../ui/icon.js';

export function BlockIcon({ block }: { block: IntegrationBlock }): JSX.Element {
  const [failed, setFailed] = useState(false);
  if (block.icon === undefined || failed) {
    return (
      <span class="tile block-icon" aria-hidden="true">
        <Icon name="blocks" />
      </span>
    );
  }
  return (
    <img
      class="tile block-icon"
      src={imageUrl(`blocks/${encodeURIComponent(block.id)}`)}
      alt=""
      onError={() => setFailed(true)}
    />
  );
}
