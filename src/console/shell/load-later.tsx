import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type * as later from '../later.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';

type Parts = typeof later;

let loaded: Parts | undefined;

/** Loads the parts in a separate script, so that the console can start without them. */
export const loadParts = async (): Promise<Parts> => (loaded = await import('../later.js'));

interface LoadLaterProps {
  /** Shown until the parts have loaded. Rarely seen, because loading begins as soon as the console has started. */
  meanwhile?: JSX.Element | null;
  children: (parts: Parts) => JSX.Element | null;
}

export function LoadLater({ meanwhile = <LoadingState />, children }: LoadLaterProps): JSX.Element | null {
  const [{ parts, error }, setState] = useState<{ parts?: Parts | undefined; error?: string }>({
    parts: loaded,
  });
  const load = (): void => {
    setState({});
    loadParts().then(
      (now) => setState({ parts: now }),
      (reason: unknown) => setState({ error: errorMessage(reason) }),
    );
  };
  useEffect(() => {
    if (!parts) load();
  }, []);
  if (parts) return children(parts);
  return error === undefined ? meanwhile : <Unreadable what="The view" error={error} again={load} />;
}
