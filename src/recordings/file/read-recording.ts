import { isRefusedFile, readRegularFile } from '../../base/node/regular-file.js';
import { errorMessage } from '../../base/text/error-message.js';
import { UserError } from '../../base/user-error.js';
import { checkRecording } from './check-recording.js';
import { LARGEST_FILE, type RecordedBody, type Recording } from './recording.js';
import { isReadable } from './recorded-body.js';
import { bodyName, mapBodies } from './shared-bodies.js';

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
    // The file may be a symlink to a private file, so its text is not quoted.
    const problem = errorMessage(error).replace(/,? ?(?:\.\.\.)?"[^]*$/, '');
    throw invalid(file, `line ${lineOfMistake(text)} is not JSON (${problem})`, 'Fix the line.');
  }
  const problem = checkRecording(value);
  if (problem !== undefined) throw invalid(file, problem);
  return withBodies(value as Recording & { bodies?: Record<string, RecordedBody> }, file);
}

/** Shared bodies must not make a small file fill the memory. */
const MOST_SHARED = 4 * LARGEST_FILE;

function withBodies(
  { bodies = {}, ...recording }: Recording & { bodies?: Record<string, RecordedBody> },
  file: string,
): Recording {
  const sizes = Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [name, JSON.stringify(body).length]),
  );
  let size = 0;
  const resolve = (body: RecordedBody): RecordedBody => {
    if (!isReadable(body)) throw invalid(file, 'a body.$base64 is not base64');
    const name = recording.version === 1 ? undefined : bodyName(body);
    if (name === undefined) return body;
    const shared = Object.hasOwn(bodies, name) ? bodies[name] : undefined;
    if (shared === undefined) throw invalid(file, `it has no body ${name}`);
    size += sizes[name] ?? 0;
    if (size > MOST_SHARED) throw invalid(file, 'its bodies are larger than 128 MB');
    return shared;
  };
  return { ...recording, calls: recording.calls.map((call) => mapBodies(call, resolve)) };
}

/** Returns the last line of the shortest beginning that cannot be continued as JSON. Node does not always report it. */
function lineOfMistake(text: string): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (canContinue(text.slice(0, middle))) low = middle + 1;
    else high = middle;
  }
  // A file that was cut off has its mistake at the end.
  const end = canContinue(text.slice(0, low)) ? low : low - 1;
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function canContinue(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const message = errorMessage(error);
    const [, at] = /at position (\d+)/.exec(message) ?? [];
    if (message.startsWith('Unexpected end')) return true;
    return at !== undefined && Number(at) >= beginning.length;
  }
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
