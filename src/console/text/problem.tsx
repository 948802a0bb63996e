import type { JSX } from 'preact';
import type { BuildProblem } from '../../protocol/build-report.js';
import { Icon } from '../ui/icon.js';
import { SourceLink } from './source-link.js';
import { Status } from '../ui/status.js';

const tones = { error: 'bad', warning: 'warn', info: 'info' } as const;

export function Problem({ problem }: { problem: BuildProblem }): JSX.Element {
  const { severity, message, help, code, file, line, column, frame } = problem;
  return (
    <div class="column problem">
      <p class="problem-head">
        <Status tone={tones[severity]}>{severity}</Status>
        <span class="wrap-anywhere">{message}</span>
      </p>
      <p class="wrap problem-position quiet small mono">
        <SourceLink file={file} line={line} column={column} />
        <span class="wrap-anywhere">{code}</span>
      </p>
      {severity === 'error' && frame && frame.length > 0 && (
        <pre class="well code frame" dir="ltr" role="region" aria-label={`Source of ${file}`} tabIndex={0}>
          {frame.map((text, index) => (
            <div key={index} class={/^(>|\s+\|\s*\^)/.test(text) ? 'code-line marked' : 'code-line'}>
              {text}
            </div>
          ))}
        </pre>
      )}
      {help !== undefined && (
        <p class="problem-help">
          <Icon name="info" size={14} /> <span class="wrap-anywhere">{help}</span>
        </p>
      )}
    </div>
  );
}
