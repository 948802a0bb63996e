import type { JSX } from 'preact';
import type { FailureResource } from '../../../contract/basics/resources.js';
import { Code } from './code.js';
import { dedent } from './dedent.js';
import { showControls } from '../show-controls.js';
import { Icon } from '../../ui/icon.js';
import { SourceLink } from '../source-link.js';

export function Failure({ failure }: { failure: FailureResource }): JSX.Element {
  const { message, file, line, column } = failure;
  return (
    <div class="stack tight failure" role="note">
      <p class="failure-message">
        <Icon name="error" /> <strong class="wrap-anywhere">{showControls(message)}</strong>
      </p>
      {file !== undefined && (
        <p class="small">
          <SourceLink file={file} line={line} column={column} />
        </p>
      )}
      <FailureSource failure={failure} />
    </div>
  );
}

export function FailureSource({
  failure,
  label = `Source of ${failure.file}`,
}: {
  failure: FailureResource;
  label?: string;
}): JSX.Element | null {
  const { line, column, frame } = failure;
  if (!frame || line === undefined) return null;
  const { lines, removed } = dedent(frame.lines);
  return (
    <Code
      text={lines.join('\n')}
      firstLine={frame.firstLine}
      marked={[line]}
      column={column === undefined ? undefined : Math.max(1, column - removed)}
      label={label}
    />
  );
}
