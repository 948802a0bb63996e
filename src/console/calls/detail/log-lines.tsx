import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stackRuns } from '../../../base/text/thrown-error.js';
import type { LogLine } from '../../../protocol/log-and-outbound-types.js';
import { Status } from '../../ui/status.js';
import type { Tone } from '../../ui/tone.js';
import { formatDuration } from '../../text/format.js';
import { showControls } from '../../text/show-controls.js';
import { LinkedText } from './linked-text.js';

const tones: Record<LogLine['level'], Tone> = { debug: 'calm', info: 'info', warn: 'warn', error: 'bad' };

export function LogLines({ lines, since }: { lines: readonly LogLine[]; since: number }): JSX.Element {
  return (
    <ol class="column well logs">
      {lines.map(({ level, text, time }, index) => (
        <li key={index} class={`bar align-start log ${level}`}>
          <span class="log-time number">+{formatDuration(Math.max(0, time - since))}</span>
          <Status tone={tones[level]}>{level}</Status>
          <pre class="grow wrap-anywhere log-text" dir="ltr">
            <Stack text={text} />
          </pre>
        </li>
      ))}
    </ol>
  );
}

export const Stack = ({ text }: { text: string }): JSX.Element => (
  <>
    {stackRuns(text).map((run, at) =>
      run.foreign ? (
        <ForeignFrames key={at} lines={run.lines} />
      ) : (
        <LinkedText key={at} text={`${run.lines.join('\n')}\n`} />
      ),
    )}
  </>
);

function ForeignFrames({ lines }: { lines: readonly string[] }): JSX.Element {
  const [open, setOpen] = useState(false);
  if (open) return <span class="quiet">{showControls(`${lines.join('\n')}\n`)}</span>;
  return (
    <button type="button" class="text-button foreign-frames" onClick={() => setOpen(true)}>
      {lines.length === 1 ? '1 platform frame' : `${lines.length} platform frames`}
    </button>
  );
}
