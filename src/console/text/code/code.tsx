import { Fragment, type JSX } from 'preact';
import { showControls } from '../show-controls.js';

interface CodeProps {
  text: string;
  /** The number of the first line. If it is not set, no line numbers are shown. */
  firstLine?: number;
  /** The numbers of the lines to highlight. */
  marked?: readonly number[];
  /** The column of the caret below the highlighted line. */
  column?: number | undefined;
  label?: string;
}

const mostColoured = 60_000;

export function Code({ text, firstLine, marked = [], column, label }: CodeProps): JSX.Element {
  const lines = showControls(text).split('\n');
  return (
    <pre
      class={marked.length > 0 ? 'code framed' : 'code'}
      dir="ltr"
      tabIndex={0}
      role="region"
      aria-label={label ?? 'Code'}
    >
      {lines.map((line, index) => {
        const number = (firstLine ?? 1) + index;
        return (
          <Fragment key={number}>
            <div class={marked.includes(number) ? 'code-line marked' : 'code-line'}>
              {firstLine !== undefined && (
                <span class="code-number" aria-hidden="true">
                  {number}
                </span>
              )}
              <code>
                {text.length > mostColoured || text.startsWith('<') ? line : <Coloured line={line} />}
              </code>
            </div>
            {column !== undefined && column <= line.length && marked.includes(number) && (
              <div class="code-line caret" aria-hidden="true">
                {firstLine !== undefined && <span class="code-number" />}
                <code ref={reveal}>{line.slice(0, column - 1).replace(/[^\t]/g, ' ')}^</code>
              </div>
            )}
          </Fragment>
        );
      })}
    </pre>
  );
}

/** The number of characters to the right of the caret that stay visible. */
const besideCaret = 48;

/** Scrolls to a caret that is too far to the right to be visible, but no further than necessary. */
function reveal(caret: HTMLElement | null): void {
  const code = caret?.closest('pre');
  if (!caret || !code) return;
  const right = caret.getBoundingClientRect().right - code.getBoundingClientRect().left;
  if (right > code.clientWidth) code.scrollLeft = right - code.clientWidth + besideCaret;
}

function Coloured({ line }: { line: string }): JSX.Element {
  return (
    <>
      {tokens(line).map(({ kind, text }, index) =>
        kind === 'plain' ? (
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

interface Token {
  kind: 'plain' | 'string' | 'number' | 'word' | 'note';
  text: string;
}

const words =
  'async|await|break|case|catch|class|const|continue|default|def|else|export|extends|false|finally|for|from|function|if|import|in|instanceof|interface|let|new|null|of|return|switch|throw|true|try|type|typeof|undefined|var|while|yield';

const pattern = new RegExp(
  [
    String.raw`(?<note>\/\/.*|#\s.*|\/\*.*?\*\/)`,
    String.raw`(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\x60(?:[^\x60\\]|\\.)*\x60)`,
    String.raw`(?<number>\b\d[\d._]*(?:e[+-]?\d+)?\b)`,
    String.raw`(?<word>\b(?:${words})\b)`,
  ].join('|'),
  'g',
);

/** Splits a line into tokens for highlighting. The result is approximate, but works for most languages. */
function tokens(line: string): Token[] {
  if (line.length > 2000) return [{ kind: 'plain', text: line }];
  const found: Token[] = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > at) found.push({ kind: 'plain', text: line.slice(at, match.index) });
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? 'plain';
    found.push({ kind: kind as Token['kind'], text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < line.length) found.push({ kind: 'plain', text: line.slice(at) });
  return found;
}
