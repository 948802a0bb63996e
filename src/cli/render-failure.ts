import type { Style } from '../diagnostics/style.js';
import { visibleLines } from '../diagnostics/visible.js';
import type { Failure } from './failure.js';
import { bugsUrl, platformVersion } from './version.js';

interface RenderedFailure {
  text: string;
  error: { code: string; message: string; hint: string };
}

export function renderFailure(failure: Failure, style: Style): RenderedFailure {
  if (failure.kind === 'usage') {
    const { code, message, hint = '' } = failure;
    const advice = hint && `  ${visibleLines(hint).join('\n  ')}\n`;
    return {
      text: `${style.bold(style.red('error'))} ${safe(message)}\n${advice}`,
      error: { code, message, hint },
    };
  }
  const { error } = failure;
  const hint = `This is a mistake of ours, not of yours. Please report it, with the lines above: ${bugsUrl}`;
  const stack = safe(error.stack ?? error.message);
  return {
    text: `${style.bold(style.red('bug'))} platform ${platformVersion} stopped where it should not.\n\n${stack}\n\n${hint}\n`,
    error: { code: 'bug', message: error.message, hint },
  };
}

/** Names of files and words of the command line come from anywhere. */
const safe = (text: string): string => visibleLines(text).join('\n');
