import { isUserError } from '../../../../base/user-error.js';
import type { Handlers } from '../../../../contract/console-api.js';
import type { recordingRoutes as contract } from '../../../../contract/routes/recordings.js';
import type { CallLog } from '../../../../store/calls/call-log.js';
import type { CallRecorder } from '../../../calls/call-recorder.js';
import { loggedCall } from '../../../calls/logged-call.js';
import type { PlatformOptions } from '../../../emulator.js';
import { HttpError, notFound, unknownCall } from '../../../http/http-error.js';

export const recordingRoutes = ({
  callLog,
  recorder,
  record,
}: {
  callLog: CallLog;
  recorder: Pick<CallRecorder, 'current'>;
  record: PlatformOptions['record'];
}): Handlers<keyof typeof contract> => ({
  async 'POST /recordings'({ calls, ...options }) {
    if (!record) throw notFound('Recording is turned off for this platform.');
    callLog.flush();
    const entries = calls.map((id) => {
      const call = callLog.get(id);
      if (!call) throw unknownCall(id);
      return recorder.current(call);
    });
    const ended = entries.filter(({ event, outcome }) => event && outcome !== 'running');
    try {
      return await record(
        ended.map((call) => loggedCall(call, callLog)),
        options,
      );
    } catch (error) {
      if (!isUserError(error)) throw error;
      const { code, message, hint } = error;
      throw new HttpError(409, code, message, hint === undefined ? {} : { hint });
    }
  },
});
