import type { JSX } from 'preact';
import type { FailureResource } from '../../../contract/basics/resources.js';
import { Code } from './code.js';
import { showControls } from '../show-controls.js';
import { Icon } from '../../ui/icon.js';

/** The error that a call threw, the author's line, and the lines around it. */
export function Failure({ failure }: { failure: FailureResource }): JSX.Element {
  const { message, file, line, column, frame } = failure;
  return (
    <div class="failure" role="note">
      <p class="failure-message">
        <Icon name="error" /> <strong class="wrap-anywhere">{showControls(message)}</strong>
      </p>
      {file !== undefined && (
        <p class="mono small wrap-anywhere">{showControls([file, line, column].join(':'))}</p>
      )}
      {frame && line !== undefined && (
        <Code
          text={frame.lines.join('\n')}
          firstLine={frame.firstLine}
          marked={[line]}
          label={`Source of ${file}`}
        />
      )}
    </div>
  );
}
