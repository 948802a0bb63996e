import { isRefusedFile, readRegularFile } from '../../base/node/regular-file.js';
import { errorMessage } from '../../base/text/error-message.js';
import { UserError } from '../../base/user-error.js';
import { checkRecording } from './check-recording.js';
import { LARGEST_FILE, type Recording } from './recording.js';

/** Reads a recording. All of it is validated before it is used, because it may come from a stranger. */
export function readRecording(file: string): Recording {
  return parseRecording(readText(file), file);
}

function parseRecording(text: string, file: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(file, `it is not JSON (${errorMessage(error)})`);
  }
  const problem = checkRecording(value);
  if (problem !== undefined) throw invalid(file, problem);
  return value as Recording;
}

function readText(file: string): string {
  try {
    return readRegularFile(file, LARGEST_FILE).toString('utf8');
  } catch (error) {
    if (isRefusedFile(error)) throw invalid(file, `it ${error.reason}`);
    throw new UserError(
      'no-recording',
      `File not found: ${file}`,
      `Record the calls of a session with: platform record <name> --last 3 (${errorMessage(error)})`,
    );
  }
}

const invalid = (file: string, problem: string): UserError =>
  new UserError(
    'invalid-recording',
    `${file} is not a valid recording: ${problem}.`,
    'Record the calls again with: platform record',
  );
