import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../../base/text/error-message.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { api } from '../../api/fetch-api.js';

export type CallMessage = 'request' | 'response';

/** Loads the recorded body of a call, and reloads it when the call has finished. Undefined while loading. */
export function useCallBody(
  call: CallRecord | undefined,
  which: CallMessage,
): { bytes?: Uint8Array; error?: string } {
  const { id, outcome } = call ?? {};
  const size = which === 'request' ? call?.requestBytes : call?.responseBytes;
  const [body, setBody] = useState<{ bytes?: Uint8Array; error?: string }>({});
  useEffect(() => {
    if (id === undefined || size === 0) return undefined;
    let gone = false;
    api(`GET /calls/{call}/${which}-body`, { call: id }).then(
      (bytes) => !gone && setBody({ bytes }),
      (error: unknown) => !gone && setBody({ error: errorMessage(error) }),
    );
    return () => {
      gone = true;
    };
  }, [id, which, size, outcome]);
  return size === 0 ? { bytes: new Uint8Array() } : body;
}
