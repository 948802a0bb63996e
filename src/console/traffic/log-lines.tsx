import type { JSX } from 'preact';
import type { LogLine } from '../live/traffic-entry.js';
import { EmptyState } from '../parts/empty-state.js';
import { Status } from '../parts/status.js';
import type { Tone } from '../parts/tone.js';
import { formatDuration } from '../text/format.js';

const tones: Record<LogLine['level'], Tone> = { debug: 'calm', info: 'info', warn: 'warn', error: 'bad' };

/** What the script printed during a call; a stack's own frames stand out from those of others. */
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
            {text.split('\n').map((line, at) => (
              <span key={at} class={isForeignFrame(line) ? 'log-line quiet' : 'log-line'}>
                {line}
                {'\n'}
              </span>
            ))}
          </pre>
        </li>
      ))}
    </ol>
  );
}

const isForeignFrame = (line: string): boolean =>
  /^\s+at /.test(line) && /node:internal|node_modules|[/\\]dist[/\\](runtime|sandbox)[/\\]/.test(line);
