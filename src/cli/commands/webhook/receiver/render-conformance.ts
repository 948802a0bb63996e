import type { Style } from '../../../../terminal/style.js';
import type { ConformanceResult } from '../../../../webhooks/receive/test-receiver.js';

export function renderConformance(
  { what, expected, got, verdict, advice }: ConformanceResult,
  style: Style,
): string {
  const word = { pass: style.green('pass  '), fail: style.red('FAIL  '), advice: style.yellow('advice') }[
    verdict
  ];
  const line = `${word}  ${what.padEnd(44)}  ${got}${verdict === 'pass' ? '' : style.dim(`, expected ${expected}`)}`;
  return advice === undefined ? line : `${line}\n        ${style.dim(advice)}`;
}
