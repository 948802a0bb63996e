import type { FailureResource } from '../../contract/basics/resources.js';
import { renderCodeFrame } from '../../diagnostics/report/code-frame.js';
import type { SourceFrame } from '../../protocol/log-and-outbound-types.js';
import { wrapText } from '../../terminal/wrap-text.js';
import type { Style } from '../../terminal/style.js';

interface FailureView {
  style: Style;
  width: number;
}

interface WrappedView extends FailureView {
  wrapAt: number;
}

export function renderFailure(failure: FailureResource, { style, width, wrapAt }: WrappedView): string[] {
  const { message, frame, line, column = 1 } = failure;
  const position = positionOfFailure(failure);
  const head = [
    ...wrapText(message, wrapAt - 2).map((text) => `  ${style.red(text)}`),
    ...(position === undefined ? [] : [`    at ${position}`]),
  ];
  if (!frame || line === undefined) return head;
  const shown = renderSourceFrame(frame, { line, column }, { style, width: width - 4 });
  return [...head, ...shown.map((text) => `    ${text}`)];
}

/** Renders some lines of a source file, with a marker at a position. */
export function renderSourceFrame(
  { firstLine, lines }: SourceFrame,
  { line, column }: { line: number; column: number },
  view: FailureView,
): string[] {
  const range = { start: { line, column }, end: { line, column: column + 1 } };
  const numbered = [...Array.from({ length: firstLine - 1 }, () => ''), ...lines];
  return renderCodeFrame({ lines: numbered, masks: [] }, range, { ...view, severity: 'error' });
}

/** Formats a position as `src/index.ts:12:3`. */
export const positionOfFailure = ({ file, line, column }: FailureResource): string | undefined =>
  file === undefined ? undefined : [file, line, column].join(':');
