import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api/fetch-api.js';
import { onLive } from '../live/live-stream.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { useAct } from '../ui/run-and-report.js';
import { GoLink } from './navigation.js';

/** The banner for a call that keeps the script busy. It shows the line that is running until the call ends. */
export function BusyCall(): JSX.Element | null {
  const [busy, setBusy] = useState<{ call: string; message: string }>();
  const { busy: stopping, act } = useAct();
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === 'warning' && event.code === 'blocked' && event.call !== undefined)
          setBusy({ call: event.call, message: event.message });
        if (event.type === 'call-finished')
          setBusy((held) => (held?.call === event.call.id ? undefined : held));
        if (event.type === 'reset') setBusy(undefined);
      }),
    [],
  );
  if (!busy) return null;
  const { call, message } = busy;
  // A button replaces the command at the end of the message.
  const [what = ''] = message.slice(call.length).split(' Stop it with:');
  return (
    <section class="broken-build" role="alert" aria-label="Busy script">
      <p>
        <Icon name="error" />{' '}
        <span class="grow wrap-anywhere">
          <GoLink to={{ view: 'calls', call }}>{call}</GoLink>
          {what}
        </span>
        <Button
          size="small"
          busy={stopping}
          onPress={() => act(() => api('POST /calls/{call}/stop', { call }), 'Call stopped')}
        >
          Stop
        </Button>
      </p>
    </section>
  );
}
