import { isBroken, type SessionEvent } from '../../../dev/events/session-event.js';
import type { CommandContext } from '../../context/command.js';
import { createReport, reportToJson } from '../../../diagnostics/index.js';
import { eventView, verdictView } from '../../../emulator/calls/call-views.js';
import { callType } from '../../../store/calls/call-log.js';

/**
 * Prints session events as NDJSON. The `ready` line comes first, followed by any events from before the session was ready.
 * `waits` means that a broken build can still be fixed.
 */
export function createSessionLines({ emit, cwd }: Pick<CommandContext, 'emit' | 'cwd'>, waits: boolean) {
  let held: object[] | undefined = [];
  const release = (): void => {
    const lines = held ?? [];
    held = undefined;
    lines.forEach(emit);
  };
  /** Reported immediately, because the session may never become ready. */
  const holdsUp = (event: SessionEvent): boolean =>
    (event.type === 'broken' && event.what === 'manifest') || (isBroken(event) && !waits);

  return {
    ready(line: object) {
      emit(line);
      release();
    },
    release,
    tell(event: SessionEvent) {
      if (holdsUp(event)) release();
      const line = eventToJson(event, cwd);
      if (held) held.push(line);
      else emit(line);
    },
  };
}

/** Formats a session event as one line of NDJSON. `version` is the format version. */
function eventToJson(event: SessionEvent, cwd: string): object {
  switch (event.type) {
    case 'broken': {
      const files = [...new Set(event.diagnostics.map(({ file }) => file))];
      return {
        type: event.type,
        what: event.what,
        ...reportToJson(createReport(files, event.diagnostics), { cwd }),
      };
    }
    case 'built':
      return {
        type: event.type,
        durationMs: event.durationMs,
        ...reportToJson(createReport([], event.warnings), { cwd }),
      };
    case 'checked':
      return {
        type: event.type,
        by: event.by,
        ...reportToJson(createReport([], event.diagnostics), { cwd }),
      };
    case 'reloaded':
      return { type: event.type, integrationVersion: event.version };
    case 'call-started': {
      const { id, source, time, version, request } = event.call;
      const { method, url } = request ?? {};
      return {
        type: event.type,
        call: { id, source, type: callType(event.call), time, version, method, url },
      };
    }
    // The environment is omitted, because it is long and the same for most calls. `platform inspect` shows it.
    case 'call-finished': {
      const { verdict: _, environment: __, ...call } = event.call;
      return { type: event.type, call: { ...call, ...verdictView(event.call) } };
    }
    case 'delivery':
      return eventView(event);
    default:
      return event;
  }
}
