import type { JSX } from 'preact';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { BodyView } from './body-view.js';
import { useCallBody, type CallMessage } from './use-call-body.js';

export function CallBody({ entry, which }: { entry: CallRecord; which: CallMessage }): JSX.Element {
  const { bytes, error } = useCallBody(entry, which);
  if (bytes) return <BodyView bytes={bytes} label={`${which} body`} fileName={`${entry.id}-${which}`} />;
  return error === undefined ? <LoadingState /> : <p class="field-error">{error}</p>;
}
