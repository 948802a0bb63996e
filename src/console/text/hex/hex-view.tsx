import type { JSX } from 'preact';
import { VirtualList } from '../../ui/virtual-list.js';
import { bytesPerRow, hexRow } from './hex.js';

/** Shows bytes as offsets, hex pairs and characters. */
export function HexView({ bytes, label }: { bytes: Uint8Array; label: string }): JSX.Element {
  const count = Math.ceil(bytes.length / bytesPerRow);
  return (
    <div class="hex" dir="ltr" style={{ height: `${Math.min(count, 20) * 20 + 16}px` }}>
      <VirtualList
        count={count}
        rowHeight={20}
        attributes={{ role: 'region', 'aria-label': label, tabIndex: 0 }}
        row={(index) => {
          const { offset, hex, text } = hexRow(bytes, index);
          return (
            <div key={index} class="hex-row">
              <span class="quiet">{offset}</span>
              <span>{hex}</span>
              <span class="hex-text">{text}</span>
            </div>
          );
        }}
      />
    </div>
  );
}
