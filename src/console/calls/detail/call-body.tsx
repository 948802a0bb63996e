import { errorMessage } from '../../../base/text/error-message.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/fetch-api.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { LoadingState } from '../../ui/messages/loading-state.js';
import { BodyView } from './body-view.js';

interface CallBodyProps {
  entry: CallRecord;
  which: 'request' | 'response';
}

export function CallBody({ entry, which }: CallBodyProps): JSX.Element {
  const { id, outcome } = entry;
  const size = which === 'request' ? entry.requestBytes : entry.responseBytes;
  const [bytes, setBytes] = useState<Uint8Array | undefined>(size === 0 ? new Uint8Array() : undefined);
  const [error, setError] = useState<string>();
  useEffect(() => {
    if (size === 0) return undefined;
    let gone = false;
    api(`GET /calls/{call}/${which}-body`, { call: id }).then(
      (found) => !gone && setBytes(found),
      (failure: unknown) => !gone && setError(errorMessage(failure)),
    );
    return () => {
      gone = true;
    };
  }, [id, which, size, outcome]);
  if (bytes) return <BodyView bytes={bytes} label={`${which} body`} fileName={`${id}-${which}`} />;
  return error === undefined ? <LoadingState /> : <p class="field-error">{error}</p>;
}
