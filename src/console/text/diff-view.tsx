import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { diffLines, foldSame } from '../../base/text/line-diff.js';
import { showControls } from './show-controls.js';

const signs = { same: ' ', removed: '−', added: '+' };
const spoken = { same: '', removed: 'removed: ', added: 'added: ' };

export function DiffView({
  before,
  after,
  label,
}: {
  before: string;
  after: string;
  label: string;
}): JSX.Element {
  const lines = useMemo(() => foldSame(diffLines(before.split('\n'), after.split('\n'))), [before, after]);
  if (before === after) return <p class="quiet">Nothing changed.</p>;
  return (
    <div class="well diff" dir="ltr" role="region" aria-label={label} tabIndex={0}>
      {lines.map((line, index) =>
        'skipped' in line ? (
          <div key={index} class="diff-skip">
            {line.skipped} unchanged {line.skipped === 1 ? 'line' : 'lines'}
          </div>
        ) : (
          <div key={index} class={`diff-line ${line.kind}`}>
            <span class="diff-number">{line.kind !== 'added' && line.before}</span>
            <span class="diff-number">{line.kind !== 'removed' && line.after}</span>
            <span aria-hidden="true">{signs[line.kind]}</span>
            <span class="diff-text">
              <span class="only-read-aloud">{spoken[line.kind]}</span>
              {showControls(line.text)}
            </span>
          </div>
        ),
      )}
    </div>
  );
}
