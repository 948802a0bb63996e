import { draftOfCall } from '../../../protocol/compose/call-draft.js';
import type { TrafficEntry } from '../../../contract/routes/calls.js';
import { api } from '../../api/fetch-api.js';
import { preference, remember } from '../../live/preferences.js';
import { composedFrom, emptyCall, type ComposedCall } from './composed-call.js';

const key = 'draft call';
/** What the platform keeps of a draft. */
const largestKept = 64 * 1024;

/** The draft outlives the dialog, the tab and the platform. It goes when it is sent. */
export const keptCall = (): ComposedCall => (preference(key) as ComposedCall | undefined) ?? emptyCall;

export const keepCall = (call: ComposedCall | undefined): void => remember(key, call);

export const isTooLargeToKeep = (call: ComposedCall): boolean => JSON.stringify(call).length > largestKept;

/** Makes a recorded call the draft. */
export async function editCall(entry: TrafficEntry): Promise<void> {
  const { id, requestBytes } = entry;
  const body =
    requestBytes > 0
      ? await api('GET /traffic/{call}/request-body', { call: id }).catch(() => undefined)
      : undefined;
  const draft = draftOfCall(entry, body);
  if (draft) keepCall(composedFrom(draft));
}
