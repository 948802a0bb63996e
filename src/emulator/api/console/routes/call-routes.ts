import type { CallRecord, CallLog } from '../../../../store/calls/call-log.js';
import type { Clock } from '../../../../base/clock.js';
import type { Handlers } from '../../../../contract/console-api.js';
import type { callRoutes as contract, OutboundDetails } from '../../../../contract/routes/calls.js';
import { notFound, unknownCall } from '../../../http/http-error.js';
import { failureOf } from '../../../calls/call-failure.js';
import type { CallRecorder } from '../../../calls/call-recorder.js';
import { checkMarkup, type MarkupProblem } from '../../../../protocol/markup/check-markup.js';
import type { CallLimits } from '../../../../protocol/call-limits.js';
import { headroomOf } from '../../../calls/headroom.js';
import { isObject } from '../../../http/read-json.js';
import { parseJson } from '../../../../base/parse-json.js';
import { readCallQuery } from './read-call-query.js';
import { callLine } from '../views/response-views.js';

export function callRoutes(deps: {
  callLog: CallLog;
  recorder: CallRecorder;
  limits: CallLimits;
  clock: Pick<Clock, 'now'>;
}): Handlers<keyof typeof contract> {
  const { callLog, recorder, limits, clock } = deps;
  const body =
    (which: 'request' | 'response') =>
    ({ call }: { call: string }): Uint8Array => {
      callLog.flush();
      const bytes = callLog.body(call, which);
      if (!bytes) throw notFound(`The ${which} body of ${call} is not recorded.`);
      return bytes;
    };

  const warningsOf = ({ id, event, response }: CallRecord): MarkupProblem[] =>
    event?.type === 'ui_render' && response?.status === 200
      ? checkRendered(callLog.body(id, 'response'))
      : [];

  return {
    'GET /calls'(query) {
      callLog.flush();
      return callLog
        .list(readCallQuery(query, clock.now()))
        .map(({ position, entry }) => ({ position, ...callLine(recorder.current(entry)) }));
    },
    'GET /calls/count'(query) {
      const all = callLog.count();
      const filter = readCallQuery(query, clock.now());
      return { matching: Object.keys(filter).length === 0 ? all : callLog.count(filter), all };
    },
    'GET /calls/{call}'({ call }) {
      callLog.flush();
      const entry = callLog.get(call);
      if (!entry) throw unknownCall(call);
      const warnings = warningsOf(entry);
      const current = recorder.current(entry);
      const failure = failureOf(current);
      const headroom = headroomOf(current, limits);
      return {
        ...current,
        ...(headroom && { headroom }),
        ...(warnings.length > 0 && { warnings }),
        ...(failure && { failure }),
      };
    },
    'GET /calls/{call}/outbound/{number}'({ call, number }) {
      const details = callLog.body(call, `outbound-${number}`);
      if (!details) throw notFound(`There are no details of outbound request ${number} of ${call}.`);
      return JSON.parse(new TextDecoder().decode(details)) as OutboundDetails;
    },
    'GET /calls/{call}/request-body': body('request'),
    'GET /calls/{call}/response-body': body('response'),
  };
}

function checkRendered(body: Uint8Array | undefined): MarkupProblem[] {
  const result = parseJson(new TextDecoder().decode(body), undefined);
  return isObject(result) ? checkMarkup(result.element) : [];
}
