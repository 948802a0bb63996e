import { UserError } from '../../base/user-error.js';
import type { LoggedCall } from '../../emulator/index.js';
import { recordingName } from '../../base/text/recording-name.js';
import { readRecording } from '../file/read-recording.js';
import type { RecordedEvent, Recording } from '../file/recording.js';
import { fileOfRecording, writeRecording } from '../file/write-recording.js';
import { recordCalls, type Recorded, type RecordOptions } from './record-calls.js';
import type { ReplayedProject } from '../open-replayed-project.js';

export interface SaveOptions extends Omit<RecordOptions, 'schema' | 'project' | 'former'> {
  project: RecordOptions['project'] & Pick<ReplayedProject, 'folder'>;
  /** The name of the file. By default, it is derived from the first call. */
  name: string | undefined;
  /** Whether an existing file may be replaced, and calls may be written that did not repeat. */
  force: boolean;
}

export interface SavedRecording extends Recorded {
  /** The absolute path of the file. */
  file: string;
  /** False if a call's replay differs from the log. */
  written: boolean;
}

/** Records calls from the log in a file in the project's `recordings` folder. */
export async function saveRecording(
  calls: readonly LoggedCall[],
  { name, force, ...options }: SaveOptions,
): Promise<SavedRecording> {
  const logged = calls.toSorted((a, b) => a.time - b.time);
  const [first] = logged;
  if (!first)
    throw new UserError(
      'no-calls',
      'None of these calls can be recorded.',
      'List the calls with: platform logs --calls',
    );
  const { folder } = options.project;
  const file = fileOfRecording(folder, name ?? nameOf(first));
  const recorded = await recordCalls(logged, {
    ...options,
    former: force ? readIfValid(file) : undefined,
    schema: '../node_modules/integration-platform/schemas/recording.schema.json',
  });
  const written = force || recorded.report.changed.length === 0;
  if (written) writeRecording(file, recorded.recording, { within: folder, replace: force });
  return { ...recorded, file, written };
}

function readIfValid(file: string): Recording | undefined {
  try {
    return readRecording(file);
  } catch {}
}

function nameOf({ event, id }: LoggedCall): string {
  const { type, request, componentId, task } = event as unknown as RecordedEvent;
  return recordingName({ id, type, request, part: componentId ?? task?.type });
}
