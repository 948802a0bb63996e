import type { Style } from '../terminal/style.js';
import { visible, visibleLines } from '../base/escape-control-characters.js';
import { wrapText } from '../terminal/wrap-text.js';
import type { Failure } from './classify-failure.js';
import { platformVersion } from './context/version.js';

interface RenderedFailure {
  text: string;
  error: { code: string; message: string; hint: string };
}

export function failureText(
  failure: Failure,
  { style, width }: { style: Style; width: number },
): RenderedFailure {
  if (failure.kind === 'usage') {
    // A message is one paragraph: a line break in it is part of a name.
    const { code, message, hint = '' } = failure;
    const wrapped = (text: string, used = 0): string => wrapText(text, width - 2, used).join('\n  ');
    const advice = hint && `  ${wrapped(hint)}\n`;
    return {
      text: `${style.bold(style.red('error'))} ${wrapped(visible(message), 4)}\n${advice}`,
      error: { code, message, hint },
    };
  }
  const { error } = failure;
  // There is no public address to report to yet.
  const hint =
    'This is a bug in platform. Please report it, with the lines above, to the person who gave you this package.';
  const stack = visibleLines(error.stack ?? error.message).join('\n');
  return {
    text: `${style.bold(style.red('bug'))} platform ${platformVersion} stopped unexpectedly.\n\n${stack}\n\n${hint}\n`,
    error: { code: 'bug', message: error.message, hint },
  };
}
