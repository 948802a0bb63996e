import { setImmediate as turn } from 'node:timers/promises';
import { checkSources, isOwnSource, type SourceFile } from '../bundle/index.js';
import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import { readRegularFile } from '../base/node/regular-file.js';

/**
 * Looks for APIs that are missing or blocked in production. The check runs after the reload, so that the reload does not have
 * to wait for it.
 */
export function createSourceCheck(folder: string, report: (diagnostics: Diagnostic[]) => void) {
  let turns = 0;
  let closed = false;
  const isOwn = isOwnSource(folder);

  const check = async (
    files: readonly string[],
    building: readonly Diagnostic[],
    mine: number,
  ): Promise<void> => {
    await turn();
    if (closed || mine !== turns) return;
    const sources = files.filter(isOwn).flatMap(read);
    const checked = await checkSources(building, sources);
    if (!closed && mine === turns) report([...checked.building, ...checked.apis]);
  };

  return {
    /**
     * Checks the sources of the current build, and reports the results together with the build's own problems. Abandons
     * an earlier check that is still running.
     */
    begin(files: readonly string[], building: readonly Diagnostic[]) {
      turns += 1;
      void check(files, building, turns);
    },
    close() {
      closed = true;
    },
  };
}

/** If a file no longer exists, the next build reports that. */
function read(file: string): SourceFile[] {
  try {
    return [{ file, text: readRegularFile(file).toString('utf8') }];
  } catch {
    return [];
  }
}
