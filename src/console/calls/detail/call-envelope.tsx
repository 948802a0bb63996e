import type { JSX } from 'preact';
import type { TrafficEntry } from '../../api/call-types.js';
import { CopyButton } from '../../ui/copy-button.js';
import { prettyJson } from '../../text/format.js';
import { JsonView } from '../../text/json-view.js';
import { CallBody } from './call-body.js';

/** The three parts of what the script got. */
export function EntryEnvelope({ entry }: { entry: TrafficEntry }): JSX.Element {
  const { event, environment, requestBytes } = entry;
  return (
    <div class="stack">
      {event ? (
        <Part name="event" value={event} />
      ) : (
        <p class="quiet">A hand-made envelope: it went to the script as it came.</p>
      )}
      {environment && <Part name="environment" value={environment} open={1} />}
      {requestBytes > 0 && (
        <section>
          <h3 class="section-title mono">fetch-body</h3>
          <CallBody entry={entry} which="request" />
        </section>
      )}
    </div>
  );
}

function Part({ name, value, open = 2 }: { name: string; value: object; open?: number }): JSX.Element {
  return (
    <section>
      <h3 class="section-title mono">
        <span class="grow">{name}</span>
        <CopyButton text={() => prettyJson(value)} label={`Copy the ${name}`} />
      </h3>
      <JsonView value={value} label={name} open={open} />
    </section>
  );
}
