import type { FailureResource } from '../../contract/resources.js';
import { renderCodeFrame } from '../../diagnostics/code-frame.js';
import type { Style } from '../../terminal/style.js';

interface FailureView {
  style: Style;
  width: number;
}

/** The error of a failed call with the author's line and the lines around it. */
export function renderFailure(failure: FailureResource, { style, width }: FailureView): string[] {
  const { message, frame, line, column = 1 } = failure;
  const place = placeOfFailure(failure);
  const head = [`  ${style.red(message)}`, ...(place === undefined ? [] : [`    at ${place}`])];
  if (!frame || line === undefined) return head;
  const start = { line, column };
  const range = { start, end: { line, column: column + 1 } };
  const lines = [...Array.from({ length: frame.firstLine - 1 }, () => ''), ...frame.lines];
  const shown = renderCodeFrame({ lines, masks: [] }, range, { style, severity: 'error', width: width - 4 });
  return [...head, ...shown.map((text) => `    ${text}`)];
}

/** `src/index.ts:12:3` */
export const placeOfFailure = ({ file, line, column }: FailureResource): string | undefined =>
  file === undefined ? undefined : [file, line, column].join(':');
