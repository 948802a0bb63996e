import type { Style } from '../../../../terminal/style.js';
import { responseLines } from '../basics/response-lines.js';
import type { ConformanceResult } from '../../../../webhooks/receive/test-receiver.js';

/** `last` is the previous result. If its response was the same, it is not shown again. */
export function renderConformance(
  { what, expected, got, verdict, advice, response }: ConformanceResult,
  last: ConformanceResult | undefined,
  style: Style,
): string {
  const word = { pass: style.green('pass  '), fail: style.red('FAIL  '), advice: style.yellow('advice') }[
    verdict
  ];
  const line = `${word}  ${what.padEnd(44)}  ${got}${verdict === 'pass' ? '' : style.dim(`, expected ${expected}`)}`;
  const lines = response ? responseLines(response) : [];
  const repeated = last?.response && lines.join('\n') === responseLines(last.response).join('\n');
  const shown = repeated && lines.length > 1 ? ['Same response body as above.'] : lines;
  const below = [...(advice === undefined ? [] : [advice]), ...shown];
  return [line, ...below.map((text) => `        ${style.dim(text)}`)].join('\n');
}
