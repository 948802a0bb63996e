import { passTime, type Call } from '../../contract/call.js';
import type { Input } from '../../contract/console-api.js';
import { UserError } from '../../base/user-error.js';
import type { Value } from '../answer/separate-untrusted-text.js';
import type { McpWorld, Tools } from './tool-context.js';
import { bodyText, callListItem, frameText, isoTime } from './call-items.js';

type Fields = Readonly<Record<string, unknown>>;

const targetOf = ({ installation, site, space }: Fields) =>
  ({ installation, site, space }) as { installation?: string; site?: string; space?: string };

export const changeTools: Tools<'send' | 'configure' | 'replay' | 'clock'> = {
  async send(input, world) {
    const call = await world.connect();
    const { id, about } = await sendOne(input, call);
    return { ...(await outcome(call, id, world)), about: { ...about, ...(await brokenBuild(call)) } };
  },
  async configure({ set, unset, ...input }, world) {
    const call = await world.connect();
    const { fired, configuration, status } = await call('PATCH /configuration', {
      ...targetOf(input),
      ...(set !== undefined && { set: set as Record<string, unknown> }),
      ...(unset !== undefined && { unset: unset as string[] }),
    });
    return {
      ...(await outcome(call, fired.call, world)),
      about: { status, properties: Object.keys(configuration).slice(0, 100) },
    };
  },
  async replay({ call: id }, world) {
    const call = await world.connect();
    const {
      call: made,
      before,
      after,
      same,
      masked,
    } = await call('POST /calls/{call}/replay', { call: String(id) });
    const response = ({ status, version, body }: typeof before): Value => ({
      status,
      version,
      content: bodyText(body).slice(0, 1000),
    });
    return {
      ...(await outcome(call, made, world)),
      about: { same, masked, before: response(before), after: response(after), ...(await brokenBuild(call)) },
    };
  },
  async clock({ seconds }, world) {
    const call = await world.connect();
    const { now, due } = await call('GET /clock');
    const to = typeof seconds === 'number' ? now + 1000 * seconds : (due[0]?.at ?? now);
    const moved = await passTime(call, to);
    return {
      items: moved.happened.map(({ at, ...one }) => ({ time: isoTime(at), ...one })),
      about: { now: isoTime(moved.now), ...(moved.stopped && { stopped: moved.stopped }) },
      next: 'calls {}: lists the calls',
    };
  },
};

async function sendOne(
  input: Fields,
  call: Call,
): Promise<{ id: string | undefined; about: { [name: string]: Value } }> {
  const { kind, type, event, set, component, block, props, state, action, method, path, headers, body } =
    input;
  const needs = (value: unknown, field: string): void => {
    if (value === undefined) throw new UserError('wrong-input', `kind ${String(kind)} needs ${field}.`);
  };
  if (kind === 'event') {
    needs(type, 'type');
    const fields = { type, event, set, ...targetOf(input) } as Input<'POST /events'>;
    const { fired, deliveries } = await call('POST /events', fields);
    return { id: fired.call, about: { outcome: fired.outcome, deliveries: deliveries.slice(0, 20) } };
  }
  if (kind === 'request') {
    needs(path, 'path');
    const content = typeof body === 'string' ? { encoding: 'utf-8' as const, content: body } : undefined;
    const fields = {
      method: method ?? 'GET',
      path,
      headers,
      ...targetOf(input),
      ...(content && { body: content }),
    };
    const sent = await call('POST /requests', fields as Input<'POST /requests'>);
    return { id: sent.call, about: { status: sent.status } };
  }
  if (block === undefined) needs(component, 'component or block');
  if (kind === 'action') needs(action, 'action');
  const fields = { component, block, props, state, action, ...targetOf(input) } as Input<'POST /render'>;
  const drawn = await call('POST /render', fields);
  const rendered = drawn.type === 'open-modal' ? drawn.modal : drawn;
  const { call: id, ...shown } = { call: undefined, ...rendered };
  return { id, about: { type: drawn.type, markup: JSON.stringify(shown) } };
}

/** Returns the call once it has finished. If it failed, the result includes the author's line. */
async function outcome(call: Call, id: string | undefined, { settled }: McpWorld) {
  const line = id === undefined ? undefined : await settled(call, id);
  if (!line) return { next: 'calls {}: lists the calls' };
  const { failure } = line;
  return {
    items: [{ ...callListItem(line), frame: frameText(failure?.frame) }],
    next: line.severity === 'none' ? 'problems {}' : `call {"call":"${line.id}"}: shows it in full`,
  };
}

/** If the current code does not build, the result says that it comes from an earlier version of the code. */
async function brokenBuild(call: Call): Promise<{ buildOk?: false }> {
  const { lastBuild } = await call('GET /overview');
  return lastBuild?.ok === false ? { buildOk: false } : {};
}
