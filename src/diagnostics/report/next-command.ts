import { relativePath } from '../../base/node/relative-path.js';
import { shellWord } from '../../base/text/curl-command.js';
import type { Diagnostic } from '../model/diagnostic.js';

/**
 * Returns the command that fixes a problem or, failing that, the one that explains the first problem that needs a manual
 * fix.
 */
export function nextCommand(diagnostics: readonly Diagnostic[], cwd: string): string | undefined {
  const fixable = diagnostics.find(({ severity, fix }) => severity !== 'info' && fix !== undefined);
  if (fixable) return `platform validate --fix ${shellWord(relativePath(cwd, fixable.file))}`;
  const first =
    diagnostics.find(({ severity }) => severity === 'error') ??
    diagnostics.find(({ severity }) => severity === 'warning');
  return first && `platform explain ${first.code}`;
}
