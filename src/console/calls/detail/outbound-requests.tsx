import type { JSX } from 'preact';
import type { OutboundCall } from '../../../protocol/log-and-outbound-types.js';
import { EmptyState } from '../../ui/messages/empty-state.js';
import { Status } from '../../ui/status.js';
import { formatBytes, formatDuration } from '../../text/format.js';
import { showControls } from '../../text/show-controls.js';

export function OutboundCalls({ calls }: { calls: readonly OutboundCall[] }): JSX.Element {
  if (calls.length === 0) {
    return (
      <EmptyState icon="globe" title="No outbound calls">
        Each <code>fetch</code> that the script makes while it handles this call is listed here.
      </EmptyState>
    );
  }
  return (
    <ul class="outbound">
      {calls.map((call, index) => (
        <li key={index}>
          <Status tone={call.status === 0 ? 'bad' : call.status >= 400 ? 'warn' : 'ok'}>
            {call.status === 0 ? 'No answer' : String(call.status)}
          </Status>
          <div class="grow">
            <p class="mono wrap-anywhere">
              <strong>{call.method}</strong> <span>{showControls(call.url)}</span>
            </p>
            {call.error !== undefined && <p class="field-error">{showControls(call.error)}</p>}
            <p class="quiet small number">
              {formatDuration(call.durationMs)} · sent {formatBytes(call.requestBytes)} · received{' '}
              {formatBytes(call.responseBytes)}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
