import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { formatJson } from '../../../base/text/pretty-json.js';
import { jsonProblem } from '../../../base/text/json-problem.js';
import { CodeField, selectAt } from './code-field.js';
import { hasBrokenMark, linesOf, toggleFold, unfolded, wholeText } from './fold-text.js';

interface JsonEditorProps {
  label: string;
  rows: number;
  value: string;
  /** A problem with a value that is valid JSON. */
  error?: string | undefined;
  onChange: (value: string) => void;
}

/** A JSON field that shows where its text stops being valid, and folds objects and lists. */
export function JsonEditor({ label, rows, value, error, onChange }: JsonEditorProps): JSX.Element {
  const area = useRef<HTMLTextAreaElement>(null);
  const [folded, setFolded] = useState(unfolded(value));
  const text = wholeText(folded) === value ? folded : unfolded(value);
  const problem = value.trim() === '' ? undefined : jsonProblem(value);
  const place = problem && `Line ${problem.line}, column ${problem.column}`;
  const pretty = formatJson(value) ?? value;
  return (
    <div class="column json-editor">
      <CodeField
        {...{ label, rows, area }}
        value={text.shown}
        lines={linesOf(text)}
        onFold={(line) => setFolded(toggleFold(text, line))}
        wrongLine={problem?.line}
        error={problem ? `${place}: ${problem.message}` : error}
        onChange={(shown) => {
          const next = { shown, parts: text.parts };
          // Opens everything instead of deleting what the mark stands for.
          if (hasBrokenMark(next)) return setFolded(unfolded(value));
          setFolded(next);
          onChange(wholeText(next));
        }}
      />
      <div class="bar">
        {problem && (
          <button
            type="button"
            class="text-button small"
            onClick={() => {
              setFolded(unfolded(value));
              // Once the whole text is shown.
              setTimeout(() => selectAt(area, problem.offset));
            }}
          >
            Go to line {problem.line}
          </button>
        )}
        {pretty !== value && (
          <button type="button" class="text-button small" onClick={() => onChange(pretty)}>
            Format
          </button>
        )}
      </div>
    </div>
  );
}
