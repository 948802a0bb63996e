import type { JSX } from 'preact';
import type { CallRecord } from '../../../contract/routes/calls.js';
import { MarkupWarnings } from '../../markup/markup-warnings.js';
import { Facts } from '../../ui/facts.js';
import { Failure } from '../../text/code/failure.js';
import { Icon } from '../../ui/icon.js';
import { formatBytes } from '../../../base/text/format-bytes.js';
import { formatDuration, formatTimeExact } from '../../text/format.js';
import { JsonView } from '../../text/json-view.js';
import { missingScopeWarning } from '../../../protocol/scopes.js';
import { showControls } from '../../text/show-controls.js';
import { CallBody } from './call-body.js';
import { HeadroomFacts, NearLimits } from './headroom.js';
import { CallLinks } from './call-links.js';
import { LogLines } from './log-lines.js';
import { TimelineView } from './timeline-view.js';

const mostErrors = 3;

const origins: Record<CallRecord['source'], string> = {
  request: 'an HTTP request',
  event: 'the platform',
  script: 'the script itself, outside of calls',
};

/** Whether a call failed, why, and how the time was spent. */
export function EntrySummary({
  entry,
  showLogs,
  showOutbound,
}: {
  entry: CallRecord;
  showLogs: () => void;
  showOutbound: (number: number) => void;
}): JSX.Element {
  const { error, failure, outcome, logs, time, warnings = [] } = entry;
  const errors = logs.filter(({ level }) => level === 'error').slice(0, mostErrors);
  return (
    <div class="stack">
      {failure && <Failure failure={failure} />}
      {error !== undefined && !failure && (
        <div class={outcome === 'withheld' ? 'notice warn' : 'notice bad'} role="note">
          <Icon name="error" />
          <div>{showControls(error)}</div>
        </div>
      )}
      <NearLimits entry={entry} />
      {entry.event && entry.missingScope !== undefined && (
        <div class="notice warn" role="note" aria-label="Missing scope">
          <Icon name="warning" />
          <div>{missingScopeWarning(entry.event.type, entry.missingScope)}</div>
        </div>
      )}
      <MarkupWarnings warnings={warnings} />
      {errors.length > 0 && <LogLines lines={errors} since={time} />}
      {logs.length > errors.length && (
        <button type="button" class="text-button start" onClick={showLogs}>
          {logs.length === 1 ? 'Show the log line' : `All ${logs.length} log lines`}
        </button>
      )}
      <section>
        <h3 class="section-title">Timeline</h3>
        <TimelineView entry={entry} showLogs={showLogs} showOutbound={showOutbound} />
      </section>
      <CallLinks entry={entry} />
      {entry.event && (
        <section>
          <h3 class="section-title">Event</h3>
          <JsonView value={entry.event} label="Event" />
        </section>
      )}
      {entry.response && (
        <section>
          <h3 class="section-title">Response</h3>
          <CallBody entry={entry} which="response" />
        </section>
      )}
      <HeadroomFacts entry={entry} />
      <Facts
        facts={[
          ['Time', formatTimeExact(time)],
          ['Took', formatDuration(entry.durationMs)],
          ['Version', `v${entry.version}`],
          ['Source', origins[entry.source]],
          ['Received', formatBytes(entry.requestBytes)],
          ['Sent', formatBytes(entry.responseBytes)],
        ]}
      />
    </div>
  );
}
