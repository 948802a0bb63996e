import type { JSX } from 'preact';
import type { Place } from '../api/requests.js';
import type { TrafficLine } from '../api/call-types.js';
import { traffic } from '../live/call-list.js';
import { Card } from '../ui/card.js';
import { useCell } from '../ui/state/observable-cell.js';
import { LoadingState } from '../ui/messages/loading-state.js';
import { Status } from '../ui/status.js';
import { GoLink } from '../shell/navigation.js';
import { formatTime } from '../text/format.js';
import { outcomeWords } from '../calls/describe-call.js';

/** Each edit fires the setup event; here is what became of it. */
export function SetupEvents({ place }: { place: Place }): JSX.Element {
  const { lines, loading } = useCell(traffic.view);
  const events = lines.filter((line) => isSetupOf(line, place)).slice(0, 6);
  return (
    <Card title="Setup events" flush>
      {events.length === 0 && loading ? (
        <LoadingState lines={2} />
      ) : events.length === 0 ? (
        <p class="card-note quiet">Each edit fires one. None is in the list yet.</p>
      ) : (
        <ul class="recent">
          {events.map((line) => (
            <li key={line.id}>
              <GoLink to={{ view: 'events', call: line.id }} class="recent-link">
                <span class="recent-title cut">{line.subject ?? 'setup'}</span>
                <span class="grow" />
                <Status tone={outcomeWords(line).tone}>{outcomeWords(line).text}</Status>
                <span class="number quiet recent-time">{formatTime(line.time)}</span>
              </GoLink>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function isSetupOf(line: TrafficLine, { installation, site, space }: Place): boolean {
  return (
    /^(site_|space_)?installation_setup$/.test(line.type) &&
    line.installation === installation &&
    line.site === site &&
    line.space === space
  );
}
