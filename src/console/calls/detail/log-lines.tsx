import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stackRuns } from '../../../base/text/thrown-error.js';
import type { LogLine } from '../../../protocol/log-and-outbound-types.js';
import { EmptyState } from '../../ui/messages/empty-state.js';
import { Status, type Tone } from '../../ui/status.js';
import { formatDuration } from '../../text/format.js';
import { showControls } from '../../text/show-controls.js';

const tones: Record<LogLine['level'], Tone> = { debug: 'calm', info: 'info', warn: 'warn', error: 'bad' };

/** The logs of a call. Stacks show the frames in the author's code. */
export function LogLines({ lines, since }: { lines: readonly LogLine[]; since: number }): JSX.Element {
  if (lines.length === 0) {
    return (
      <EmptyState icon="terminal" title="Nothing was logged">
        What the script prints with <code>console.log</code> during this call appears here.
      </EmptyState>
    );
  }
  return (
    <ol class="logs">
      {lines.map(({ level, text, time }, index) => (
        <li key={index} class={`log ${level}`}>
          <span class="log-time number">+{formatDuration(Math.max(0, time - since))}</span>
          <Status tone={tones[level]}>{level}</Status>
          <pre class="log-text">
            {stackRuns(showControls(text)).map((run, at) =>
              run.foreign ? <ForeignFrames key={at} lines={run.lines} /> : `${run.lines.join('\n')}\n`,
            )}
          </pre>
        </li>
      ))}
    </ol>
  );
}

function ForeignFrames({ lines }: { lines: readonly string[] }): JSX.Element {
  const [open, setOpen] = useState(false);
  if (open) return <span class="quiet">{`${lines.join('\n')}\n`}</span>;
  return (
    <button type="button" class="text-button foreign-frames" onClick={() => setOpen(true)}>
      {lines.length === 1 ? '1 platform frame' : `${lines.length} platform frames`}
    </button>
  );
}
