import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from '../../ui/copy-button.js';
import { Segments } from '../../ui/segments.js';
import { readBody } from '../../text/readable-body.js';
import { Code } from '../../text/code/code.js';
import { formatBytes } from '../../../base/text/format-bytes.js';
import { JsonView } from '../../text/json-view.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { bytesPerRow, hexRow } from '../../text/hex/hex.js';

type Mode = 'pretty' | 'text' | 'hex';

const names: Record<Mode, string> = { pretty: 'Pretty', text: 'Raw', hex: 'Hex' };

/** Small JSON bodies are fully expanded. */
const expandedBytes = 2048;
/** Only the beginning of longer bodies is shown. The download contains all of it. */
const mostShown = 512 * 1024;

interface BodyViewProps {
  bytes: Uint8Array;
  label: string;
  fileName: string;
}

export function BodyView({ bytes, label, fileName }: BodyViewProps): JSX.Element {
  const body = readBody(bytes);
  const [chosen, choose] = useState<Mode>();
  if (body.kind === 'empty') return <p class="quiet">The body is empty.</p>;
  const modes: Mode[] = body.kind === 'json' ? ['pretty', 'text'] : body.kind === 'text' ? ['text'] : ['hex'];
  const mode = chosen && modes.includes(chosen) ? chosen : (modes[0] ?? 'hex');
  return (
    <div class="stack tight">
      <div class="bar">
        {modes.length > 1 && (
          <Segments
            label="Body format"
            value={mode}
            options={modes.map((one) => ({ value: one, name: names[one] }))}
            onChange={choose}
          />
        )}
        <span class="quiet small number grow">{formatBytes(bytes.length)}</span>
        {body.kind !== 'binary' && <CopyButton text={body.text} label="Copy the body" />}
        <button type="button" class="text-button small" onClick={() => download(bytes, fileName)}>
          Download
        </button>
      </div>
      {mode === 'pretty' && body.kind === 'json' && (
        <JsonView value={body.value} label={label} open={bytes.length <= expandedBytes ? Infinity : 2} />
      )}
      {mode === 'text' && body.kind !== 'binary' && (
        <Code text={body.text.slice(0, mostShown)} label={label} />
      )}
      {mode === 'hex' && <HexView bytes={bytes.subarray(0, mostShown)} label={label} />}
      {bytes.length > mostShown && mode !== 'pretty' && (
        <p class="quiet small">Only the first {formatBytes(mostShown)} are shown.</p>
      )}
    </div>
  );
}

function download(bytes: Uint8Array, fileName: string): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

function HexView({ bytes, label }: { bytes: Uint8Array; label: string }): JSX.Element {
  const count = Math.ceil(bytes.length / bytesPerRow);
  return (
    <div class="well hex" dir="ltr" style={{ height: `${Math.min(count, 20) * 20 + 16}px` }}>
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
              <span class="quiet">{text}</span>
            </div>
          );
        }}
      />
    </div>
  );
}
