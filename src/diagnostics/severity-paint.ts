import type { Severity } from './diagnostic.js';
import type { Style } from '../terminal/style.js';

export const severityPaint = (style: Style, severity: Severity): ((text: string) => string) =>
  ({ error: style.red, warning: style.yellow, info: style.blue })[severity];
