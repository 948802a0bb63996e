import type { JSX } from 'preact';
import type { TrafficLine } from '../api/call-types.js';
import { Status } from '../ui/status.js';
import { formatDuration, formatTime } from '../text/format.js';
import { showControls } from '../text/show-controls.js';
import { describeLine, outcomeWords } from './describe-call.js';

interface TrafficRowProps {
  line: TrafficLine;
  index: number;
  count: number;
  selected: boolean;
  onSelect: () => void;
}

export function TrafficRow({ line, index, count, selected, onSelect }: TrafficRowProps): JSX.Element {
  const { title, detail } = describeLine(line);
  const { tone, text } = outcomeWords(line);
  return (
    <div
      id={`entry-${line.id}`}
      role="option"
      class={selected ? 'entry selected' : 'entry'}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={onSelect}
    >
      <span class="entry-title cut">{showControls(title)}</span>
      <span class="entry-detail cut">{showControls(detail)}</span>
      <span class="entry-status">
        <Status tone={tone}>{text}</Status>
      </span>
      <span class="entry-facts number">
        <span>{formatDuration(line.durationMs)}</span>
        <span>{formatTime(line.time)}</span>
      </span>
    </div>
  );
}
