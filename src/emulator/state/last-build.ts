import type { BuildReport } from '../../protocol/build-report.js';
import type { EventFeed } from '../live/event-feed.js';

export type LastBuild = ReturnType<typeof createLastBuild>;

export function createLastBuild(feed: EventFeed) {
  let last: BuildReport | undefined;
  return {
    get: () => last,
    set(report: BuildReport) {
      last = report;
      feed.emitToConsole({ type: 'build', ok: report.ok });
    },
  };
}
