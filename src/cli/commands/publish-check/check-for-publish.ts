import { fileURLToPath } from 'node:url';
import { reportToJson } from '../../../diagnostics/index.js';
import type { CheckedProject, CheckProjectOptions } from '../../../publish/index.js';
import type { Io } from '../../context/io.js';
import { platformVersion } from '../../context/version.js';
import { packageFolder } from '../../../base/package-files.js';

type CheckRequest = Omit<CheckProjectOptions, 'env' | 'target' | 'strict' | 'sdkFolder' | 'scriptProcess'> & {
  target?: CheckProjectOptions['target'] | undefined;
  strict?: boolean;
};

/** Runs all publish checks. The script runs in a separate process. */
export async function checkManifest(io: Io, request: CheckRequest): Promise<CheckedProject> {
  const { checkProject } = await import('../../../publish/index.js');
  return checkProject({
    ...request,
    env: io.env,
    target: request.target ?? 'marketplace',
    strict: request.strict ?? false,
    sdkFolder: fileURLToPath(packageFolder),
    scriptProcess: { node: io.execPath, version: platformVersion, timers: io.clock },
  });
}

export const checkedToJson = ({ report, checks }: CheckedProject, cwd: string) => ({
  ...reportToJson(report, { cwd }),
  checks: checks.map(({ id, verdict, evidence, help }) => ({
    id,
    verdict,
    evidence,
    ...(help !== undefined && { help }),
  })),
});
