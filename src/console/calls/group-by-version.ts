import type { CallLine } from '../../contract/routes/calls.js';
import type { PlatformResource } from '../../contract/routes/overview.js';
import { formatTime } from '../text/format.js';
import type { RowGroup } from '../ui/row-layout.js';

type Versions = Pick<PlatformResource, 'version' | 'lastBuild'>;

/** Groups calls by the version that handled them. Only consecutive calls are grouped together. */
export function groupByVersion(
  lines: readonly Pick<CallLine, 'version'>[],
  { version: current, lastBuild: build }: Versions,
): RowGroup[] {
  const groups: RowGroup[] = [];
  for (const [start, { version }] of lines.entries()) {
    if (version === lines[start - 1]?.version) continue;
    const title = `Version ${version}`;
    const saved = build?.ok === true ? `, saved at ${formatTime(build.time)}` : '';
    const note = version === current ? `current${saved}` : '';
    const newer = groups.filter((other) => other.title === title).length;
    groups.push({ key: `${version}-${newer}`, start, title, note });
  }
  return groups;
}
