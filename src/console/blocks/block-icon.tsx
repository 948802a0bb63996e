import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { initialOf } from '../text/initial-of.js';
import type { IntegrationBlock } from '../../protocol/integration.js';

export function BlockIcon({ block }: { block: IntegrationBlock }): JSX.Element {
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
