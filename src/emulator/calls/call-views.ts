import { locationOf } from '../../base/text/redirect-location.js';
import type { CallLine, CallProblemGroup } from '../../contract/routes/calls.js';
import type { LiveEvent } from '../../contract/routes/live.js';
import type { FiredResource } from '../../contract/basics/resources.js';
import { callType, type CallRecord, type ProblemGroup } from '../../store/calls/call-log.js';
import type { ConsoleEvent, EmulatorEvent } from '../live/emulator-event.js';
import { attemptView } from '../../webhooks/views.js';
import type { FiredEvent } from './event-sender.js';
import { failureOf, type Failures } from './call-failure.js';
import { judgeCall } from './judge-call.js';
import { mainReason, severityOf } from '../../store/calls/match-call.js';
import { readBody } from '../../base/text/read-body.js';
import type { PlatformEvent } from '../../protocol/events.js';

const longestLine = 500;

/** The summary of a call, as shown in lists. Fetch the call by its id to read the rest. */
export function callLine(call: CallRecord): CallLine {
  const { id, source, event, time, version, request, response, outcome, error, durationMs } = call;
  const { requestBytes, responseBytes, logs, outbound, near, cause } = call;
  const { frame: _, ...failure } = failureOf(call) ?? {};
  const pending = call.background?.some((span) => span?.durationMs === undefined);
  const location = response && locationOf(response);
  return {
    id,
    source,
    type: callType(call),
    ...(event && { eventId: event.eventId, installation: event.installationId }),
    ...callSubject(event),
    time,
    version,
    ...(request && { method: request.method, url: request.url }),
    ...(response && { status: response.status }),
    ...(location !== undefined && { location }),
    outcome,
    ...verdictView(call),
    ...(pending && { pending }),
    ...(error !== undefined && { error }),
    ...('message' in failure && { failure }),
    ...(durationMs !== undefined && { durationMs }),
    ...(cause && { cause }),
    requestBytes,
    responseBytes,
    logs: logs.length,
    outbound: outbound.length,
    ...(near && { near }),
    // Entries from this source contain only log lines.
    ...(source === 'script' && {
      lines: logs.map(({ level, text }) => ({ level, text: text.slice(0, longestLine) })),
    }),
  };
}

const longestLogged = 4000;
const mostLines = 200;

/** A call with its log lines and the source code around its error. */
export function callWithLogs(call: CallRecord): CallLine {
  const failure = failureOf(call);
  return {
    ...callLine(call),
    ...(failure && { failure }),
    lines: call.logs.slice(0, mostLines).map(({ level, text, frame }) => ({
      level,
      text: text.slice(0, longestLogged),
      ...(frame && { frame }),
    })),
  };
}

/** A call's verdict. Calls recorded by older versions have no verdict. */
export function verdictView(call: CallRecord): Pick<CallLine, 'severity' | 'reason' | 'at' | 'likelyCause'> {
  const severity = severityOf(call);
  if (severity === 'none') return { severity };
  const { reason, at, likelyCause } =
    call.verdict ?? judgeCall(call, { blocks: [], configurations: {} }) ?? {};
  return {
    severity,
    ...(reason !== undefined && { reason }),
    ...(at && { at }),
    ...(likelyCause !== undefined && { likelyCause }),
  };
}

export function problemGroupView({ newest, ...group }: ProblemGroup): CallProblemGroup {
  const { reason = '', at, likelyCause } = verdictView(newest);
  const { id: call, version, source, event } = newest;
  const failure = failureOf(newest);
  return {
    ...group,
    reason: mainReason(reason),
    ...(at && { at }),
    call,
    version,
    source,
    ...(event && { installation: event.installationId }),
    ...(failure && { failure }),
    ...(likelyCause !== undefined && { likelyCause }),
  };
}

export function firedView(fired: FiredEvent, failures: Failures): FiredResource {
  if (fired.outcome === 'withheld') return fired;
  const { body, headers: _, ...rest } = fired;
  const failure = fired.outcome === 'failed' ? failures.of(fired.call) : undefined;
  return { ...rest, body: readBody(body), ...(failure && { failure }) };
}

/** A summary of an event for the console, without bodies. */
export function eventView(event: EmulatorEvent | ConsoleEvent): LiveEvent {
  switch (event.type) {
    case 'call-started':
    case 'call-finished':
      return { type: event.type, call: callLine(event.call) };
    case 'delivery':
      return {
        type: event.type,
        delivery: event.delivery,
        ...(event.attempt && { attempt: attemptView(event.attempt) }),
      };
    default:
      return event;
  }
}

/** Returns what an event is about, for display in lists. */
export function callSubject(
  event: PlatformEvent | undefined,
): Pick<CallLine, 'site' | 'space' | 'component' | 'action' | 'subject'> {
  if (!event) return {};
  const target = {
    ...('siteId' in event && event.siteId !== undefined && { site: event.siteId }),
    ...('spaceId' in event && event.spaceId !== undefined && { space: event.spaceId }),
  };
  switch (event.type) {
    case 'ui_render':
      return {
        ...target,
        component: event.componentId,
        ...(event.action && { action: event.action.action }),
      };
    case 'installation_setup':
    case 'space_installation_setup':
    case 'site_installation_setup': {
      const before = event.previous?.status;
      const changed = before !== undefined && before !== event.status;
      return { ...target, subject: changed ? `${before} → ${event.status}` : event.status };
    }
    case 'task':
      return { subject: event.task.type };
    case 'space_view':
    case 'site_view':
    case 'page_feedback':
      return { ...target, subject: event.url };
    case 'fetch':
      return { subject: event.request.url };
    case 'content_compute_revision':
    case 'content_compute_document':
      return { subject: event.sourceId };
    default:
      return target;
  }
}
