import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Unreadable } from '../ui/messages/unreadable.js';
import type { PagesView, PagesViewProps } from './pages-view.js';

type View = typeof PagesView;

/** The pages view is in a separate script, so that the console can start without loading it. */
export function LazyPages(props: PagesViewProps): JSX.Element {
  const [loaded, setLoaded] = useState<{ View?: View; error?: string }>({});
  const load = (): void => {
    setLoaded({});
    import('./pages-view.js').then(
      ({ PagesView: View }) => setLoaded({ View }),
      (error: unknown) => setLoaded({ error: errorMessage(error) }),
    );
  };
  useEffect(load, []);
  const { View, error } = loaded;
  if (View) return <View {...props} />;
  return error === undefined ? <LoadingState /> : <Unreadable what="The view" error={error} again={load} />;
}
