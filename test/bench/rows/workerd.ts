import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure, Row } from '../row.js';
import {
  largeBody,
  nodeUnderTest,
  ready,
  reload,
  requestsAgainstEcho,
  requestsAgainstPeer,
  type RuntimeUnderTest,
} from './dev.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder whose `node_modules` contains workerd, or the peers' folder. */
const workerdFolder = [process.env['WORKERD_FOLDER'], join(root, 'test/bench/peers')].find(
  (folder) => folder !== undefined && existsSync(join(folder, 'node_modules/workerd')),
);

const workerdUnderTest: RuntimeUnderTest = {
  options: ['--runtime', 'workerd'],
  process: 'workerd serve',
  install(folder) {
    symlinkSync(join(workerdFolder ?? '', 'node_modules'), join(folder, 'node_modules'));
  },
};

/** Measurements in workerd and the same ones in Node. */
async function inBoth(measure: (runtime: RuntimeUnderTest) => Promise<Figure>): Promise<Figure> {
  const { value, unit, detail = '' } = await measure(nodeUnderTest);
  const workerd = await measure(workerdUnderTest);
  return { ...workerd, detail: `${workerd.detail ?? ''}; in Node ${value.toFixed(2)} ${unit}, ${detail}` };
}

/** The same rows in the production runtime. They never fail, because the targets are for Node. */
export const workerdRows: Row[] = [
  {
    what: 'workerd: platform dev from start to ready, against node -e 0',
    aim: { atMost: 4 },
    measure: ready,
  },
  { what: 'workerd: save to answer of the new code', aim: { atMost: 60 }, measure: reload },
  { what: 'workerd: requests against Miniflare', aim: { atLeast: 4 }, measure: requestsAgainstPeer },
  {
    what: 'workerd: requests against an echo behind a proxy',
    aim: { atLeast: 60 },
    measure: requestsAgainstEcho,
  },
  { what: 'workerd: a body of 64 MiB: growth of the platform', aim: { atMost: 2 }, measure: largeBody },
].map(({ what, aim, measure }) => ({
  what,
  reach: aim,
  measure: () => inBoth(measure),
  ...(workerdFolder === undefined && {
    skip: 'workerd is not installed: name a folder that has it in WORKERD_FOLDER',
  }),
}));
