import type { Style } from '../../../../terminal/style.js';
import { responseLines } from '../response-lines.js';
import type { ConformanceResult } from '../../../../webhooks/receive/test-receiver.js';

export function renderConformance(
  { what, expected, got, verdict, advice, response }: ConformanceResult,
  style: Style,
): string {
  const word = { pass: style.green('pass  '), fail: style.red('FAIL  '), advice: style.yellow('advice') }[
    verdict
  ];
  const line = `${word}  ${what.padEnd(44)}  ${got}${verdict === 'pass' ? '' : style.dim(`, expected ${expected}`)}`;
  const below = [...(advice === undefined ? [] : [advice]), ...(response ? responseLines(response) : [])];
  return [line, ...below.map((text) => `        ${style.dim(text)}`)].join('\n');
}
