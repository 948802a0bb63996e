import type { JSX } from 'preact';
import { showControls } from '../show-controls.js';
import { tokensOf, type Token } from './tokens.js';

interface CodeProps {
  text: string;
  /** The number of the first line. If it is not set, no line numbers are shown. */
  firstLine?: number;
  marked?: readonly number[];
  /** The column of the error in the highlighted line. */
  column?: number | undefined;
  label?: string;
  /** Whether lines begin with `+` and `-`. */
  isDiff?: boolean;
}

const changes: Readonly<Record<string, string>> = { '+': ' added', '-': ' removed' };
const mostColoured = 60_000;

export function Code({
  text,
  firstLine,
  marked = [],
  column,
  label,
  isDiff = false,
}: CodeProps): JSX.Element {
  const lines = showControls(text).split('\n');
  return (
    <pre
      class={marked.length > 0 ? 'well code framed' : 'well code'}
      dir="ltr"
      tabIndex={0}
      role="region"
      aria-label={label ?? 'Code'}
    >
      {lines.map((line, index) => {
        const number = (firstLine ?? 1) + index;
        const isMarked = marked.includes(number);
        const change = isDiff ? changes[line.charAt(0)] : undefined;
        return (
          <div key={number} class={`code-line${isMarked ? ' marked' : ''}${change ?? ''}`}>
            {firstLine !== undefined && (
              <span class="code-number" aria-hidden="true">
                {number}
              </span>
            )}
            <code>
              {text.length > mostColoured || text.startsWith('<') || change !== undefined ? (
                line
              ) : (
                <Coloured line={line} column={isMarked ? column : undefined} />
              )}
            </code>
          </div>
        );
      })}
    </pre>
  );
}

function Coloured({ line, column }: { line: string; column: number | undefined }): JSX.Element {
  return (
    <>
      {markColumn(tokensOf(line), line, column).map(({ kind, text, marked }, index) =>
        marked ? (
          <span key={index} class={`code-error token-${kind}`}>
            {text}
          </span>
        ) : kind === 'plain' ? (
          text
        ) : (
          <span key={index} class={`token-${kind}`}>
            {text}
          </span>
        ),
      )}
    </>
  );
}

interface MarkedToken extends Token {
  marked?: boolean;
}

/** Separates the word at the error's column from the text around it. */
function markColumn(all: readonly Token[], line: string, column: number | undefined): MarkedToken[] {
  const start = (column ?? 0) - 1;
  const [word] = /^(?:[\w$]+|.)/.exec(line.slice(Math.max(0, start))) ?? [];
  if (start < 0 || word === undefined) return [...all];
  let end = 0;
  return all.flatMap((token) => {
    const from = end;
    end += token.text.length;
    const cut = (at: number): number => Math.min(Math.max(at - from, 0), token.text.length);
    const [first, last] = [cut(start), cut(start + word.length)];
    return [
      { ...token, text: token.text.slice(0, first) },
      { ...token, text: token.text.slice(first, last), marked: true },
      { ...token, text: token.text.slice(last) },
    ].filter(({ text }) => text !== '');
  });
}
