import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type * as later from '../later.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';

type Parts = typeof later;

/** Shows parts that are in a separate script, so that the console can start without loading them. */
export function LoadLater({ children }: { children: (parts: Parts) => JSX.Element }): JSX.Element {
  const [loaded, setLoaded] = useState<{ parts?: Parts; error?: string }>({});
  const load = (): void => {
    setLoaded({});
    import('../later.js').then(
      (parts) => setLoaded({ parts }),
      (error: unknown) => setLoaded({ error: errorMessage(error) }),
    );
  };
  useEffect(load, []);
  const { parts, error } = loaded;
  if (parts) return children(parts);
  return error === undefined ? <LoadingState /> : <Unreadable what="The view" error={error} again={load} />;
}
