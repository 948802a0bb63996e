// Replays a recording in a process of its own, for which a test chooses the version of Node and whether it has a network:
//
//   node --import tsx test/workerd/replay-offline.ts <folder> <runtime> <rounds> <URL that may be reachable>

import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openReplayedProject, replayFile } from '../../src/recordings/index.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import { seededId } from '../../src/sandbox/index.js';

export interface OfflineReplay {
  node: string;
  /** Whether this process could reach the URL. */
  network: boolean;
  replayed: number;
  different: string[];
  /** What one round has done but the comparison ignores. */
  ignored: { requestHeaders: number; responseHeaders: number; randomIds: number };
}

const [, , folder = '', runtime = 'node', rounds = '1', url = ''] = process.argv;

const project = await openReplayedProject({
  file: join(folder, 'platform-manifest.yaml'),
  runtime: runtime === 'workerd' ? 'workerd' : 'node',
  node: process.execPath,
  package: { folder: fileURLToPath(new URL('../..', import.meta.url)), version: '0' },
});
const report: OfflineReplay = {
  node: process.version,
  network: await fetch(url).then(
    () => true,
    () => false,
  ),
  replayed: 0,
  different: [],
  ignored: { requestHeaders: 0, responseHeaders: 0, randomIds: 0 },
};
for (let round = 0; round < Number(rounds); round += 1) {
  const { results } = await replayFile(join(folder, 'recordings/all.json'), project);
  report.ignored = { requestHeaders: 0, responseHeaders: 0, randomIds: 0 };
  for (const { call, outcome, differences } of results) {
    report.replayed += 1;
    for (const { kind, before, after } of differences)
      report.different.push(`${call.name} (${kind}): ${before.slice(0, 500)} => ${after.slice(0, 500)}`);
    const compared = toRecorded(outcome);
    const { ignored } = report;
    for (const { headers } of outcome.outbound) ignored.requestHeaders += headers.length;
    ignored.responseHeaders +=
      (outcome.response?.headers.length ?? 0) - Object.keys(compared.response?.headers ?? {}).length;
    ignored.randomIds += JSON.stringify(compared).match(seededId)?.length ?? 0;
  }
}
console.log(JSON.stringify(report));
