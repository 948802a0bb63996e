import type { CallLine } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { formatTime } from '../text/format.js';
import type { RowGroup } from '../ui/row-layout.js';

/** A new version can handle its first calls shortly before its build is reported. */
const clockMs = 1000;

type Versions = Pick<PlatformResource, 'version' | 'lastBuild'>;

export function groupByVersion(
  lines: readonly Pick<CallLine, 'version' | 'time'>[],
  { version: current, lastBuild: build }: Versions,
): RowGroup[] {
  const groups: RowGroup[] = [];
  for (const [start, { version }] of lines.entries()) {
    if (version === lines[start - 1]?.version) continue;
    const title = `Version ${version}`;
    const note = version === current ? 'current' : '';
    const newer = groups.filter((other) => other.title === title).length;
    groups.push({ key: `${version}-${newer}`, start, title, note });
  }
  const [newest, before] = groups;
  const oldest = lines[(before?.start ?? lines.length) - 1];
  // After a broken save is undone, the earlier version continues, so its first calls are older than the latest build.
  if (newest?.note && oldest && build?.ok === true && build.time < oldest.time + clockMs)
    newest.note += `, saved at ${formatTime(build.time)}`;
  return groups;
}
