import { UserError } from '../base/user-error.js';
import { isAcceptable, whyNotUpdated } from './describe-differences.js';
import { readRecording } from './file/read-recording.js';
import { renderRecording } from './file/render-recording.js';
import { RECORDING_VERSION, type Recording } from './file/recording.js';
import { writeRecording } from './file/write-recording.js';
import type { ReplayedProject } from './open-replayed-project.js';
import { createHide } from './own-secrets.js';
import { withOutcome } from './recorded-outcome.js';
import {
  replayTolerantly,
  requireSameIntegration,
  undeclaredSecrets,
  type ReplayResult,
} from './replay-calls.js';

export interface ReplayedFile {
  file: string;
  recording: Recording;
  results: ReplayResult[];
  /** Whether `update` changed the file. */
  updated: boolean;
}

type Environments<Project> = Project & Partial<Pick<ReplayedProject, 'environment' | 'withEnvironment'>>;

/**
 * Replays a file with the current build. With `update`, records the script's current behavior in the file instead of
 * comparing it, except for calls that send requests without a recorded response.
 */
export async function replayFile(
  file: string,
  opened: Environments<Pick<ReplayedProject, 'folder' | 'integration' | 'declared' | 'script' | 'run'>>,
  {
    update = false,
    ...options
  }: { update?: boolean; signal?: AbortSignal; ended?: (result: ReplayResult) => void } = {},
): Promise<ReplayedFile> {
  const { recording, project } = await readOwnRecording(file, opened);
  const { integration, script, run } = project;
  const results = await replayTolerantly({ recording, integration, script, run, ...options });
  if (!update) return { file, recording, results, updated: false };
  const changed = withOutcomes(recording, results);
  const before = renderRecording(recording);
  const updated = renderRecording(changed) !== before;
  if (updated && renderRecording(readRecording(file)) !== before)
    throw new UserError(
      'recording-changed',
      `${file} was changed while its calls were replayed, so it was not updated.`,
      'Run the command again.',
    );
  if (updated) writeRecording(file, changed, { within: project.folder, replace: true });
  return {
    file,
    recording: changed,
    results: results.map((result) => (isAcceptable(result) ? { ...result, differences: [] } : result)),
    updated,
  };
}

/** Reads a recording that this project can replay. Also returns the project in the recording's environment. */
export async function readOwnRecording<Project extends Pick<ReplayedProject, 'integration' | 'declared'>>(
  file: string,
  opened: Environments<Project>,
): Promise<{ recording: Recording; project: Project | ReplayedProject }> {
  const recording = readRecording(file);
  const { environment } = recording;
  const project =
    environment === opened.environment ? opened : ((await opened.withEnvironment?.(environment)) ?? opened);
  requireSameIntegration(recording, project.integration, file);
  const [undeclared] = undeclaredSecrets(recording, project.declared);
  if (undeclared === undefined) return { recording, project };
  throw new UserError(
    'undeclared-secret',
    `${file} has a value for the secret ${undeclared}, which the manifest does not declare.`,
    'Declare the secret, or remove its value from the recording.',
  );
}

/** Returns the recording with the script's current behavior. Requests keep their recorded responses. */
function withOutcomes(recording: Recording, results: readonly ReplayResult[]): Recording {
  // Every call of an older recording is written again, because it has fewer headers.
  const isOld = recording.version < RECORDING_VERSION;
  const upgrades = isOld && results.every((result) => whyNotUpdated(result) === undefined);
  const hide = createHide(recording);
  const calls = recording.calls.map((call, at) => {
    const result = results.find(({ index }) => index === at);
    if (!result || !(upgrades || isAcceptable(result))) return call;
    return withOutcome(call, hide(call, result.outcome).did);
  });
  return { ...recording, ...(upgrades && { version: RECORDING_VERSION }), calls };
}
