import { createReport, reportToJson } from '../../diagnostics/index.js';
import type { SessionEvent } from '../../dev/index.js';

/** An event of a session as one line of NDJSON; `version` is kept for that of the format. */
export function eventToJson(event: SessionEvent, cwd: string): object {
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
    case 'reloaded':
      return { type: event.type, integrationVersion: event.version };
    default:
      return event;
  }
}
