import { isUserError } from '../../base/user-error.js';
import type { Handlers } from '../../contract/console-api.js';
import type { recordingRoutes as contract } from '../../contract/routes/recordings.js';
import type { CallLog, CallRecord } from '../../store/calls/call-log.js';
import { failureOf } from './call-failure.js';
import type { CallRecorder } from './call-recorder.js';
import { loggedCall, type LoggedCall } from './logged-call.js';
import type { PlatformOptions } from '../emulator.js';
import { HttpError, notFound, unknownCall } from '../http/http-error.js';

export const recordingRoutes = ({
  callLog,
  recorder,
  record,
  replayFailures,
}: {
  record: PlatformOptions['record'];
  replayFailures: PlatformOptions['replayFailures'];
  callLog: CallLog;
  recorder: Pick<CallRecorder, 'current'>;
}): Handlers<keyof typeof contract> => {
  const read = (ids: readonly string[]): CallRecord[] => {
    callLog.flush();
    return ids.map((id) => {
      const call = callLog.get(id);
      if (!call) throw unknownCall(id);
      return recorder.current(call);
    });
  };
  const logged = (calls: readonly CallRecord[]): LoggedCall[] =>
    calls
      .filter(({ event, outcome }) => event && outcome !== 'running')
      .map((call) => loggedCall(call, callLog));
  return {
    async 'POST /recordings'({ calls, ...options }) {
      if (!record) throw notFound('Recording is turned off for this platform.');
      return record(logged(read(calls)), options).catch(reject);
    },
    async 'POST /failures/replay'({ calls }) {
      if (!replayFailures) throw notFound('Replays are turned off for this platform.');
      const entries = read(calls);
      const rerun = logged(entries.filter((entry) => failureOf(entry)));
      const found = new Map((await replayFailures(rerun).catch(reject)).map((one) => [one.call, one]));
      return calls.map((call) => found.get(call) ?? { call, verdict: 'unknown', reason: NOT_ITS_OWN });
    },
  };
};

const NOT_ITS_OWN = 'The script did not cause this failure, so only sending the call again shows the result.';

function reject(error: unknown): never {
  if (!isUserError(error)) throw error;
  const { code, message, hint } = error;
  throw new HttpError(409, code, message, hint === undefined ? {} : { hint });
}
