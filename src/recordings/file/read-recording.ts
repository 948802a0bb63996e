import { isRefusedFile, readRegularFile } from '../../base/node/regular-file.js';
import { errorMessage } from '../../base/text/error-message.js';
import { UserError } from '../../base/user-error.js';
import { checkRecording } from './check-recording.js';
import { LARGEST_FILE, type Recording } from './recording.js';

/** Reads a recording. Everything is validated before use, because the file may come from a stranger. */
export function readRecording(file: string): Recording {
  return parseRecording(readText(file), file);
}

function parseRecording(text: string, file: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const conflict = lineOfConflict(text);
    if (conflict !== undefined)
      throw invalid(file, `it has a merge conflict on line ${conflict}`, 'Resolve the conflict first.');
    throw invalid(file, `it is not JSON (${errorMessage(error)})`);
  }
  const problem = checkRecording(value);
  if (problem !== undefined) throw invalid(file, problem);
  return value as Recording;
}

/** Returns the line of the first conflict marker that Git has left in the file. */
function lineOfConflict(text: string): number | undefined {
  const line = text.split('\n').findIndex((line) => line.startsWith('<<<<<<< '));
  return line < 0 ? undefined : line + 1;
}

/** Windows programs often write a byte order mark. `JSON.parse` rejects it, but the decoder removes it. */
function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readRegularFile(file, LARGEST_FILE));
  } catch (error) {
    if (error instanceof TypeError) throw invalid(file, 'it is not UTF-8', 'Save it as UTF-8.');
    if (isRefusedFile(error)) throw invalid(file, `it ${error.reason}`);
    throw new UserError(
      'no-recording',
      `File not found: ${file}`,
      `Record calls with: platform record <name> --last 3 (${errorMessage(error)})`,
    );
  }
}

const invalid = (
  file: string,
  problem: string,
  help = 'Record the calls again with: platform record',
): UserError => new UserError('invalid-recording', `${file} is not a valid recording: ${problem}.`, help);
