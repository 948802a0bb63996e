import { draftOfCall } from '../../../protocol/compose/call-draft.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { api } from '../../api/fetch-api.js';
import { preference, remember } from '../../live/preferences.js';
import type { EventType } from '../../../protocol/events.js';
import { composerAsked } from './composer-asked.js';
import { composedFrom, emptyCall, type ComposedCall } from './composed-call.js';

const key = 'draft call';
const largestKept = 64 * 1024;

/** Returns the draft, which survives closing the composer or the tab and stopping the platform. */
export const keptCall = (): ComposedCall => (preference(key) as ComposedCall | undefined) ?? emptyCall;

export const keepCall = (call: ComposedCall | undefined): void => remember(key, call);

export const isTooLargeToKeep = (call: ComposedCall): boolean => JSON.stringify(call).length > largestKept;

export function composeEvent(type: EventType): void {
  keepCall({ ...keptCall(), mode: 'event', event: { type } });
  composerAsked.set(composerAsked.get() + 1);
}

export async function editCall(entry: CallRecord): Promise<void> {
  const { id, requestBytes } = entry;
  const body =
    requestBytes > 0
      ? await api('GET /calls/{call}/request-body', { call: id }).catch(() => undefined)
      : undefined;
  const draft = draftOfCall(entry, body);
  if (draft) keepCall(composedFrom(draft));
}
