import type { TrafficEntry, TrafficLog } from '../../../../store/calls/call-log.js';
import type { Clock } from '../../../../base/clock.js';
import type { Handlers } from '../../../../contract/console-api.js';
import type { callRoutes as contract, OutboundDetails } from '../../../../contract/routes/calls.js';
import { notFound, unknownCall } from '../../../http/http-error.js';
import { failureOf } from '../../../calls/call-failure.js';
import type { TrafficRecorder } from '../../../calls/call-recorder.js';
import { checkMarkup, type MarkupProblem } from '../../../../protocol/markup/check-markup.js';
import type { CallLimits } from '../../../../protocol/call-limits.js';
import { headroomOf } from '../../../calls/headroom.js';
import { isObject } from '../../../http/read-json.js';
import { parseJson } from '../../../../base/parse-json.js';
import { readCallQuery } from '../read-call-query.js';
import { trafficLine } from '../response-views.js';

export function callRoutes(deps: {
  traffic: TrafficLog;
  recorder: TrafficRecorder;
  limits: CallLimits;
  clock: Pick<Clock, 'now'>;
}): Handlers<keyof typeof contract> {
  const { traffic, recorder, limits, clock } = deps;
  const body =
    (which: 'request' | 'response') =>
    ({ call }: { call: string }): Uint8Array => {
      traffic.flush();
      const bytes = traffic.body(call, which);
      if (!bytes) throw notFound(`The ${which} body of ${call} is not recorded.`);
      return bytes;
    };

  const warningsOf = ({ id, event, response }: TrafficEntry): MarkupProblem[] =>
    event?.type === 'ui_render' && response?.status === 200
      ? checkRendered(traffic.body(id, 'response'))
      : [];

  return {
    'GET /traffic'(query) {
      traffic.flush();
      return traffic
        .list(readCallQuery(query, clock.now()))
        .map(({ position, entry }) => ({ position, ...trafficLine(recorder.current(entry)) }));
    },
    'GET /traffic/count'(query) {
      const all = traffic.count();
      const filter = readCallQuery(query, clock.now());
      return { matching: Object.keys(filter).length === 0 ? all : traffic.count(filter), all };
    },
    'GET /traffic/{call}'({ call }) {
      traffic.flush();
      const entry = traffic.get(call);
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
    'GET /traffic/{call}/outbound/{number}'({ call, number }) {
      const details = traffic.body(call, `outbound-${number}`);
      if (!details) throw notFound(`There are no details of outbound request ${number} of ${call}.`);
      return JSON.parse(new TextDecoder().decode(details)) as OutboundDetails;
    },
    'GET /traffic/{call}/request-body': body('request'),
    'GET /traffic/{call}/response-body': body('response'),
  };
}

function checkRendered(body: Uint8Array | undefined): MarkupProblem[] {
  const result = parseJson(new TextDecoder().decode(body), undefined);
  return isObject(result) ? checkMarkup(result.element) : [];
}
