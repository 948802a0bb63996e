import { Socket } from 'node:net';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { createControlChannel, LONGEST_SENT, type Order, type Report } from '../wire/control-channel.js';
import { describeError } from '../observe/describe-error.js';
import { observeScript } from './observe-script.js';
import { serveScript } from './serve-script.js';
import { startWatchdog } from './watchdog.js';
import { currentScope } from '../observe/call-scope.js';
import { definedIds } from '../script/defined-ids.js';
import { defineWorkerGlobals, guardLoading, refuseCode } from './production-globals.js';
import inspector from 'node:inspector';
import type { RequestParts } from '../script/script-host.js';

const CHANNEL_FD = 3;
const LIFELINE_FD = 4;
const CALLS_FD = 5;

const [, , folder = '', version = ''] = process.argv;

const trusted = (value: unknown): Order => value as Order;
const channel = createControlChannel<Report, Order>(new Socket({ fd: CHANNEL_FD }), trusted, (order) => {
  if (order.type === 'load') void load(order);
  else if (order.type === 'ping') channel.send({ type: 'pong' });
  else if (order.type === 'disguised') disguising.get(order.id)?.(order.parts);
  else if (order.type === 'drain') void drain();
  else operateInspector(order, () => channel.send({ type: 'inspector-closed' }));
});

const watchdog = startWatchdog({ fd: LIFELINE_FD, folder, callId: () => currentScope()?.id });
const disguising = new Map<number, (parts: RequestParts | undefined) => void>();
let disguises = 0;
/** Only the platform knows all of the secrets. */
const disguise = async (parts: RequestParts): Promise<RequestParts> => {
  const id = disguises++;
  const reply = new Promise<RequestParts | undefined>((resolve) => disguising.set(id, resolve));
  channel.send({ type: 'disguise', id, parts });
  const made = await reply;
  disguising.delete(id);
  if (!made) throw new TypeError('The request is too long for its secrets to be replaced.');
  return made;
};
const observed = observeScript(channel, disguise);
defineWorkerGlobals(version);
refuseCode();
const whileLoading = guardLoading();
const script = serveScript(new Socket({ fd: CALLS_FD }), (entry) =>
  channel.send({ type: 'background', entry }),
);
channel.send({ type: 'ready' });

async function drain(): Promise<void> {
  await script.drained();
  await observed.reported();
  channel.send({ type: 'drained' });
}

async function load({ file, outbound }: Extract<Order, { type: 'load' }>): Promise<void> {
  observed.observeFetch(outbound);
  try {
    const module = await whileLoading<{ default?: unknown }>(() => import(pathToFileURL(file).href));
    script.use(module.default, file);
    const ids = definedIds(module.default);
    channel.send({ type: 'loaded', ...(ids && { ids }) });
  } catch (error) {
    channel.send({ type: 'load-failed', text: describeError(error).slice(0, LONGEST_SENT) });
  }
}

/** The debugger's port is only for the process that serves calls, so the previous process must release it first. */
function operateInspector(
  order: Extract<Order, { type: 'open-inspector' | 'close-inspector' }>,
  closed: () => void,
): void {
  watchdog.watchLoop(order.type === 'close-inspector');
  if (order.type === 'open-inspector') {
    inspector.open(order.port, '127.0.0.1');
    return;
  }
  inspector.close();
  closed();
}
