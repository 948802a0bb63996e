import { fileURLToPath } from 'node:url';
import { reportToJson, type Diagnostic } from '../../../diagnostics/index.js';
import type { CheckedProject, Strictness, Target } from '../../../publish/index.js';
import type { ChosenEnvironment } from '../../session/environment-options.js';
import type { Io } from '../../context/io.js';
import { platformVersion } from '../../context/version.js';
import { packageFolder } from '../../../base/package-files.js';

interface CheckRequest extends Partial<Strictness>, ChosenEnvironment {
  file: string;
  besideOthers?: readonly Diagnostic[];
  cwd: string;
  target?: Target;
  against?: string | undefined;
  recordings?: string | undefined;
  interrupted: AbortSignal;
}

/** Runs all publish checks. The script runs in a separate process. */
export async function checkManifest(io: Io, request: CheckRequest): Promise<CheckedProject> {
  const { checkProject } = await import('../../../publish/index.js');
  const {
    file,
    cwd,
    target = 'marketplace',
    strict = false,
    rules,
    against,
    recordings,
    besideOthers,
  } = request;
  const { environment, dotenv, interrupted } = request;
  return checkProject({
    file,
    cwd,
    env: io.env,
    target,
    strict,
    ...(rules && { rules }),
    ...(besideOthers && { besideOthers }),
    ...(against !== undefined && { against }),
    ...(recordings !== undefined && { recordings }),
    ...(environment !== undefined && { environment }),
    ...(dotenv !== undefined && { dotenv }),
    sdkFolder: fileURLToPath(packageFolder),
    scriptProcess: { node: io.execPath, version: platformVersion, timers: io.clock },
    interrupted,
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
