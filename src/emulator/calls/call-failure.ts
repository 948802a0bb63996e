import type { FailureResource } from '../../contract/resources.js';
import { internalError } from '../../protocol/exposable-error.js';
import { errorOfCall, readThrownError, type ThrownError } from '../../base/text/thrown-error.js';
import type { TrafficEntry, TrafficLog } from '../../store/calls/call-log.js';
import { readInside } from '../http/read-inside.js';

type Failed = Pick<TrafficEntry, 'source' | 'outcome' | 'error' | 'response' | 'logs'>;

const rejection = /^(?:A promise passed to waitUntil was rejected:|\[integrations\] waitUntil failed) /;

/** Why a call or its background work failed; undefined if it did not. */
export function failureOf(entry: Failed): FailureResource | undefined {
  if (entry.source === 'script') return undefined;
  const error = entry.outcome === 'failed' ? findError(entry) : findRejection(entry);
  if (!error) return undefined;
  const { message, place } = error;
  return { message, ...(place && { file: place.path, line: place.line, column: place.column }) };
}

function findRejection({ logs }: Failed): ThrownError | undefined {
  const line = logs.find(({ level, text }) => level === 'error' && rejection.test(text));
  if (!line) return undefined;
  const error = readThrownError(line.text.replace(rejection, ''));
  return { ...error, message: `waitUntil failed: ${error.message}` };
}

function findError({ error, response, logs }: Failed): ThrownError {
  const logged = errorOfCall(logs);
  if (error !== undefined && error !== internalError)
    return { message: error, ...(logged?.place && { place: logged.place }) };
  return logged ?? { message: error ?? `The script responded with ${response?.status}.` };
}

const around = 2;
const longestFile = 1024 * 1024;
const longestLine = 400;

/** Adds the source lines around the position of the error, read from the project's folder. */
async function withFrame(failure: FailureResource, folder: string): Promise<FailureResource> {
  const { file, line } = failure;
  if (file === undefined || line === undefined) return failure;
  const bytes = await readInside(folder, file);
  if (!bytes || bytes.length > longestFile) return failure;
  const all = bytes.toString().split(/\r?\n/);
  if (line > all.length) return failure;
  const firstLine = Math.max(1, line - around);
  const lines = all.slice(firstLine - 1, line + around).map((text) => text.slice(0, longestLine));
  return { ...failure, frame: { firstLine, lines } };
}

export interface Failures {
  /** Why a call failed, with the source lines around the error; undefined if it did not fail. */
  explain(entry: TrafficEntry): Promise<FailureResource | undefined>;
  /** The same for a recorded call. */
  of(call: string): Promise<FailureResource | undefined>;
}

export function createFailures(traffic: TrafficLog, folder: string | undefined): Failures {
  const explain: Failures['explain'] = async (entry) => {
    const failure = failureOf(entry);
    return failure && folder !== undefined ? withFrame(failure, folder) : failure;
  };
  return {
    explain,
    async of(call) {
      traffic.flush();
      const entry = traffic.get(call);
      return entry && explain(entry);
    },
  };
}
