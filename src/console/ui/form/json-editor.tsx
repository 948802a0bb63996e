import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { jsonProblem } from '../../../base/text/json-problem.js';
import { CodeField, selectAt } from './code-field.js';

interface JsonEditorProps {
  label: string;
  rows: number;
  value: string;
  /** A problem with a value that is valid JSON. */
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** A JSON field that shows where its text stops being valid. */
export function JsonEditor({ label, rows, value, error, onChange }: JsonEditorProps): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const problem = value.trim() === '' ? undefined : jsonProblem(value);
  const place = problem && `Line ${problem.line}, column ${problem.column}`;
  return (
    <div class="column json-editor">
      <CodeField
        {...{ label, rows, value, area, onChange }}
        numbered
        wrongLine={problem?.line}
        error={problem ? `${place}: ${problem.message}` : error}
      />
      {problem && (
        <button type="button" class="text-button small" onClick={() => selectAt(area, problem.offset)}>
          Go to line {problem.line}
        </button>
      )}
    </div>
  );
}
