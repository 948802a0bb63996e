import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readThrownError } from '../../base/text/thrown-error.js';
import type { CallRecord } from '../../contract/routes/calls.js';
import { nothingElseRuns } from '../../protocol/blocked-script-message.js';
import { api } from '../api/fetch-api.js';
import { onLive } from '../live/live-stream.js';
import { useCall } from '../live/use-resource.js';
import { SourceLink } from '../text/source-link.js';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icon.js';
import { useAct } from '../ui/run-and-report.js';
import { useNow } from '../ui/state/use-now.js';
import { GoLink } from './navigation.js';

/** The banner for a call that keeps the script busy, shown until the call ends. */
export function BusyCall(): JSX.Element | null {
  const [busy, setBusy] = useState<string>();
  useEffect(() => {
    // Does not replace a call reported in the meantime.
    const find = (): void =>
      void findBusyCall().then(
        (found) => setBusy((held) => held ?? found),
        () => {},
      );
    find();
    return onLive((event) => {
      if (event.type === 'warning' && event.code === 'blocked' && event.call !== undefined)
        setBusy(event.call);
      if (event.type === 'call-finished') setBusy((held) => (held === event.call.id ? undefined : held));
      if (event.type === 'reset') {
        setBusy(undefined);
        find();
      }
    });
  }, []);
  return busy === undefined ? null : <Banner key={busy} call={busy} />;
}

function Banner({ call }: { call: string }): JSX.Element {
  const { data } = useCall(call);
  const { busy: stopping, act } = useAct();
  const now = useNow(1000);
  const { position } = readThrownError(busyLine(data) ?? '');
  return (
    <section class="stack tight broken-build" role="alert" aria-label="Busy script">
      <p class="row">
        <Icon name="error" />{' '}
        <span class="grow wrap-anywhere">
          <GoLink to={{ view: 'calls', call }}>{call}</GoLink> keeps the script busy
          {position && (
            <>
              {' '}
              at <SourceLink file={position.path} line={position.line} column={position.column} />
            </>
          )}
          .
        </span>
        {data && (
          <span class="number" role="timer" aria-live="off">
            {Math.max(1, Math.round((now - data.time) / 1000))} s
          </span>
        )}
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

const mostCalls = 100;

/** Finds a call that was already keeping the script busy when the page was opened. */
async function findBusyCall(): Promise<string | undefined> {
  const lines = await api('GET /calls', { limit: mostCalls });
  for (const { id } of lines.filter(({ outcome }) => outcome === 'running')) {
    const call = await api('GET /calls/{call}', { call: id });
    if (call.outcome === 'running' && busyLine(call) !== undefined) return id;
  }
  return undefined;
}

/** Returns the log line that reports that a call keeps the script busy. */
const busyLine = (call: CallRecord | undefined): string | undefined =>
  call?.logs.findLast(({ text }) => text.startsWith(nothingElseRuns))?.text;
