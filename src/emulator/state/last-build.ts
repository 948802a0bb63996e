import type { BuildReport } from '../../protocol/build-report.js';
import type { EventFeed } from '../live/event-feed.js';

export interface LastBuild {
  get(): BuildReport | undefined;
  set(report: BuildReport): void;
}

export function createLastBuild(feed: EventFeed): LastBuild {
  let last: BuildReport | undefined;
  return {
    get: () => last,
    set(report) {
      last = report;
      feed.emitToConsole({ type: 'build', ok: report.ok });
    },
  };
}
