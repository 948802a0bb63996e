import { ownFields } from '../../../protocol/compose/call-draft.js';
import type { Input } from '../../../contract/console-api.js';
import type { EventTypeResource } from '../../../contract/routes/events.js';
import type { Values } from '../../markup/basics/read-markup.js';
import { parseObject } from '../../markup/basics/parse-object.js';
import type { ComposedEvent } from './composed-call.js';

export const payloadOf = ({ payload }: ComposedEvent, { sample }: EventTypeResource): Values =>
  payload ?? Object.fromEntries(Object.entries({ ...sample }).filter(([name]) => !ownFields.includes(name)));

export function readyEvent(
  event: ComposedEvent,
  types: readonly EventTypeResource[],
): Input<'POST /events'> | undefined {
  const type = types.find((one) => one.type === event.type) ?? types[0];
  const payload = type && (event.raw === undefined ? payloadOf(event, type) : parseObject(event.raw));
  return type && payload && { type: type.type, ...event.target, event: payload };
}
